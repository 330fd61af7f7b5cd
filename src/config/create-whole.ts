import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasNoLinks, syncDirectory } from '../lib/files.ts';
import { randomHex } from '../lib/ids.ts';

/**
 * Creates a file for its owner alone, which is never seen half written, and leaves one that is there as it is.
 * When this returns, the file has reached the disk; when it throws, nothing is left of it.
 */
export async function createWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomHex(8)}.tmp`;
  try {
    await writeSynced(fresh, text);
    try {
      // A link never replaces what is there; a rename would.
      await link(fresh, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      if (!hasNoLinks(error) || (await Bun.file(path).exists())) throw error;
      await rename(fresh, path);
    }
    await syncDirectory(dirname(path));
  } finally {
    await rm(fresh, { force: true });
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
