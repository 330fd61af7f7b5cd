const NONCE_BYTES = 12;
const VERSION = 'v1.';

/**
 * Keeps small secrets unreadable in the database: AES-256-GCM under a key that HKDF-SHA256 derives
 * from the server's secret. Whoever has the database alone learns nothing but the length.
 */
export class SecretBox {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /**
   * @param secret the server's secret, at least 32 bytes of entropy
   * @param purpose separates this key from every other one made of the same secret
   */
  static async create(secret: string | Uint8Array, purpose: string): Promise<SecretBox> {
    const material = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
    const base = await crypto.subtle.importKey('raw', new Uint8Array(material), 'HKDF', false, [
      'deriveKey',
    ]);
    const key = await crypto.subtle.deriveKey(
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
    return new SecretBox(key);
  }

  /**
   * Seals a text; sealing it twice gives two different texts.
   * @param context what it belongs to: sealed text moved to another context does not open
   */
  async seal(text: string, context: string): Promise<string> {
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

  /** The text, or undefined when it was sealed with another secret or context, or was altered. */
  async open(sealed: string, context: string): Promise<string | undefined> {
    if (!sealed.startsWith(VERSION)) return undefined;
    try {
      const bytes = Uint8Array.fromBase64(sealed.slice(VERSION.length), { alphabet: 'base64url' });
      const opened = await crypto.subtle.decrypt(
        {
          name: 'AES-GCM',
          iv: bytes.slice(0, NONCE_BYTES),
          additionalData: new TextEncoder().encode(context),
        },
        this.#key,
        bytes.slice(NONCE_BYTES),
      );
      return new TextDecoder().decode(opened);
    } catch {
      return undefined;
    }
  }
}
