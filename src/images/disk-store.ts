import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile, syncDirectory } from '../lib/durable-file.ts';
import type { BlobStore } from './images.ts';

/** Stores each image as a file, in one of 256 folders by the first two digits of its id. */
export class DiskStore implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(id);
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true });
    // After a crash, an incomplete image has the name of its part, under which `remove` finds it.
    await replaceFile(path, bytes, { mode: 0o600, part: partOf(path) });
    // The name of a new folder is durable only when its parent is.
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
    await rm(partOf(path), { force: true });
    await rm(path, { force: true });
    // The caller deletes the last record of the image next, so a power cut must not bring it back.
    await syncDirectory(dirname(path)).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    });
  }

  #path(id: string): string {
    return join(this.#dir, id.slice(0, 2), id);
  }
}

/** The name of an image while it is written. */
function partOf(path: string): string {
  return `${path}.part`;
}
