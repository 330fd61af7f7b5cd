const NONCE_BYTES = 12;
const VERSION = 'v1.';

/**
 * Encrypts small secrets for the database: AES-256-GCM with a key that HKDF-SHA256 derives from the server's secret.
 * The database alone reveals only their length.
 */
export class SecretBox {
  readonly #key: CryptoKey | Error;
  readonly #previous: CryptoKey | undefined;

  private constructor(key: CryptoKey | Error, previous?: CryptoKey) {
    this.#key = key;
    this.#previous = previous;
  }

  /** A box without a key: nothing opens, and sealing throws the reason. */
  static locked(reason: Error): SecretBox {
    return new SecretBox(reason);
  }

  /**
   * @param secret the server's secret, at least 32 bytes of entropy
   * @param purpose separates this key from others that are derived from the same secret
   * @param previous another secret that can open, but not seal, while the secret is being changed
   */
  static async create(
    secret: string | Uint8Array,
    purpose: string,
    previous?: Uint8Array,
  ): Promise<SecretBox> {
    return new SecretBox(
      await deriveKey(secret, purpose),
      previous && (await deriveKey(previous, purpose)),
    );
  }

  /**
   * Seals a text; sealing it twice gives two different texts.
   * @param context what the text belongs to: in another context it does not open
   * @throws the reason of a locked box
   */
  async seal(text: string, context: string): Promise<string> {
    if (this.#key instanceof Error) throw this.#key;
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(context) },
      this.#key,
      new TextEncoder().encode(text),
    );
    const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
    bytes.set(nonce);
    bytes.set(new Uint8Array(sealed), NONCE_BYTES);
    return VERSION + bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
  }

  /** @returns undefined when it was sealed with another secret or context, or was altered */
  async open(sealed: string, context: string): Promise<string | undefined> {
    return (
      (await openWith(this.#key, sealed, context)) ??
      (this.#previous && (await openWith(this.#previous, sealed, context)))
    );
  }

  /**
   * Seals a text again that only the previous secret opens.
   * @returns undefined when the present secret opens it, or neither does
   */
  async renewed(sealed: string, context: string): Promise<string | undefined> {
    if (!this.#previous || (await openWith(this.#key, sealed, context)) !== undefined)
      return undefined;
    const text = await openWith(this.#previous, sealed, context);
    return text === undefined ? undefined : this.seal(text, context);
  }
}

async function deriveKey(secret: string | Uint8Array, purpose: string): Promise<CryptoKey> {
  const material = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  const base = await crypto.subtle.importKey('raw', new Uint8Array(material), 'HKDF', false, [
    'deriveKey',
  ]);
  return crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(),
      info: new TextEncoder().encode(purpose),
    },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

async function openWith(
  key: CryptoKey | Error,
  sealed: string,
  context: string,
): Promise<string | undefined> {
  if (key instanceof Error || !sealed.startsWith(VERSION)) return undefined;
  try {
    const bytes = Uint8Array.fromBase64(sealed.slice(VERSION.length), { alphabet: 'base64url' });
    const opened = await crypto.subtle.decrypt(
      {
        name: 'AES-GCM',
        iv: bytes.slice(0, NONCE_BYTES),
        additionalData: new TextEncoder().encode(context),
      },
      key,
      bytes.slice(NONCE_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}
