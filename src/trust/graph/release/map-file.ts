import { statSync } from 'node:fs';

/** The bytes of a file, read as they are touched. An empty file can't be mapped, but is as good. */
export function mapFile(path: string): Uint8Array {
  return statSync(path).size === 0 ? new Uint8Array(0) : Bun.mmap(path);
}
