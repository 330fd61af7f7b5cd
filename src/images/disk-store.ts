import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from './store.ts';

/** One file an image, spread over 256 folders by the first two digits of its id. */
export class DiskStore implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(id);
    await mkdir(dirname(path), { recursive: true });
    // Written aside and renamed: a crash leaves no half image under its name.
    const file = await open(`${path}.part`, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const file = Bun.file(this.#path(id));
    if (!(await file.exists())) return undefined;
    return (range ? file.slice(range.start, range.end) : file).bytes();
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.#dir, id.slice(0, 2), id);
  }
}
