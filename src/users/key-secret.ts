import { timingSafeEqual } from 'node:crypto';
import { randomHex, sha256Hex } from '../lib/ids.ts';

export const API_KEY_PREFIX = 'zk_';
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;
const keyPattern = /^zk_([0-9a-f]{16})_[0-9a-f]{64}$/;

/** The id in a key; undefined if the text is not a key. */
export function idOfKey(key: string): string | undefined {
  return keyPattern.exec(key)?.[1];
}

/** A new secret for the key with this id, and the values to store for it. */
export function newSecret(id: string) {
  const key = `${API_KEY_PREFIX}${id}_${randomHex(SECRET_BYTES)}`;
  return { key, digest: sha256Hex(key), hint: key.slice(-HINT_CHARACTERS) };
}

/** Whether a stored digest is of this key. */
export function isDigest(key: string, digest: string | null): boolean {
  return digest !== null && timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(key)));
}
