import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/**
 * Encrypts small secrets for the database: AES-256-GCM with a key that HKDF-SHA256 derives from the server's secret.
 * The database alone reveals only their lengths.
 */
export class SecretBox {
  readonly #key: Uint8Array | Error;
  readonly #previous: Uint8Array | undefined;

  private constructor(key: Uint8Array | Error, previous?: Uint8Array) {
    this.#key = key;
    this.#previous = previous;
  }

  /** A box without a key: it opens nothing, and sealing throws the reason. */
  static locked(reason: Error): SecretBox {
    return new SecretBox(reason);
  }

  /**
   * @param secret the server's secret, at least 32 bytes of entropy
   * @param purpose separates this key from others that are derived from the same secret
   * @param previous another secret, which can open but not seal, while the secret is being changed
   */
  static create(secret: string | Uint8Array, purpose: string, previous?: Uint8Array): SecretBox {
    return new SecretBox(deriveKey(secret, purpose), previous && deriveKey(previous, purpose));
  }

  /**
   * Seals a text; sealing it twice gives two different texts.
   * @param context what the text belongs to: it does not open in another context
   * @throws the reason of a locked box
   */
  seal(text: string, context: string): string {
    if (this.#key instanceof Error) throw this.#key;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(context));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return VERSION + Buffer.concat(sealed).toString('base64url');
  }

  /** @returns undefined if it was sealed with another secret or context, or was altered */
  open(sealed: string, context: string): string | undefined {
    return openWith(this.#key, sealed, context) ?? openWith(this.#previous, sealed, context);
  }

  /**
   * Seals a text again that only the previous secret opens.
   * @returns undefined if the current secret opens it, or neither does
   */
  renewed(sealed: string, context: string): string | undefined {
    if (openWith(this.#key, sealed, context) !== undefined) return undefined;
    const text = openWith(this.#previous, sealed, context);
    return text === undefined ? undefined : this.seal(text, context);
  }
}

function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

function openWith(
  key: Uint8Array | Error | undefined,
  sealed: string,
  context: string,
): string | undefined {
  if (!key || key instanceof Error || !sealed.startsWith(VERSION)) return undefined;
  try {
    const bytes = Uint8Array.fromBase64(sealed.slice(VERSION.length), { alphabet: 'base64url' });
    const text = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([cipher.update(text), cipher.final()]).toString();
  } catch {
    return undefined;
  }
}
