import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile, syncDirectory } from '../lib/durable-file.ts';
import type { BlobStore } from './store.ts';

/** One file an image, spread over 256 folders by the first two digits of its id. */
export class DiskStore implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(id);
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true });
    // A crash leaves no half image under its name, and its part where `remove` finds it.
    await replaceFile(path, bytes, { mode: 0o600, part: partOf(path) });
    // A new folder's name is safe once the folder that holds it is.
    await syncDirectory(this.#dir);
    if (made !== undefined) await syncDirectory(dirname(made));
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const file = Bun.file(this.#path(id));
    if (!(await file.exists())) return undefined;
    return (range ? file.slice(range.start, range.end) : file).bytes();
  }

  async remove(id: string): Promise<void> {
    const path = this.#path(id);
    // What a crash left half written goes as well.
    await rm(partOf(path), { force: true });
    await rm(path, { force: true });
    // Whoever forgets the image now must not find it again after a power cut.
    await syncDirectory(dirname(path)).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    });
  }

  #path(id: string): string {
    return join(this.#dir, id.slice(0, 2), id);
  }
}

/** An image while it is written. */
function partOf(path: string): string {
  return `${path}.part`;
}
