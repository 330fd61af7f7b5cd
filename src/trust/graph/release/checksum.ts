import { closeSync, openSync } from 'node:fs';
import { readFully } from '../files.ts';

const CHUNK_BYTES = 2 ** 20;

/** In hexadecimal, as `sha256sum` prints it. */
export function sha256OfFile(path: string): string {
  const hasher = new Bun.CryptoHasher('sha256');
  const fd = openSync(path, 'r');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let position = 0; ; position += chunk.length) {
      const read = readFully(fd, chunk, position);
      hasher.update(chunk.subarray(0, read));
      if (read < chunk.length) return hasher.digest('hex');
    }
  } finally {
    closeSync(fd);
  }
}
