import { randomInt } from 'node:crypto';

/** Random text of `bytes` × 2 lowercase hex digits. */
export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}

/** 32 lowercase hex digits of a UUID (version 4): RFC 9562, section 5.4. */
export function uuidHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toHex();
}

// Without 0/O and 1/l/I, since people read a generated password off a screen.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of 20 characters, about 116 bits. */
export function randomPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** SHA-256 of text or bytes, as lowercase hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return Bun.CryptoHasher.hash('sha256', data, 'hex');
}
