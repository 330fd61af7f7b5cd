/**
 * Writes files that appear under their name only when they are complete, even after a kill or a power failure: a file
 * is written under another name in the same directory, flushed to the disk, and then renamed.
 */
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomHex } from './ids.ts';

export interface ReplaceOptions {
  /** The mode of the new file, less the process's umask; the old file's mode is ignored. */
  mode: number;
  /**
   * The name of the file while it is written; a file that a killed process left there is replaced. By default a new
   * name: then a killed process leaves a file for good.
   */
  part?: string;
}

/** Errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/**
 * Creates a file for its owner alone (0600); an existing file stays as it is.
 *
 * When it returns true, the file and its name are on the disk. When it throws, nothing is left, except the complete
 * file if only its directory could not be flushed. A killed process may leave `NAME.….tmp` for good.
 * @returns whether this call created it; of several at once, one gets true
 */
export async function createOnce(path: string, data: string | Uint8Array): Promise<boolean> {
  const part = freshName(path);
  try {
    await writeSynced(part, data, 'wx', 0o600);
    if (!(await nameOnce(part, path))) return false;
    await syncDirectory(dirname(path));
    return true;
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Writes a file, and replaces an existing one atomically.
 *
 * When it returns, the new file and its name are on the disk. When it throws, the old file is unchanged and nothing is
 * left beside it, or the new file is there and only its directory could not be flushed. A killed process may leave the
 * unfinished file.
 */
export async function replaceFile(
  path: string,
  data: string | Uint8Array,
  { mode, part }: ReplaceOptions,
): Promise<void> {
  const written = part ?? freshName(path);
  try {
    await writeSynced(written, data, part === undefined ? 'wx' : 'w', mode);
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/**
 * Gives a file a second name in its directory, and never replaces another file; without hard links, however, a file
 * that gets the name at the same moment is replaced. The new name is on the disk after `syncDirectory`. The caller
 * removes the old one.
 * @returns false if the name is taken; then nothing was done
 */
export async function nameOnce(part: string, path: string): Promise<boolean> {
  try {
    // Unlike a rename, a link never replaces a file.
    await link(part, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    if (existsSync(path)) return false;
    await rename(part, path);
  }
  return true;
}

/** Flushes a directory: then its new and removed names are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * When it returns, the content is on the disk, but not yet the name. When it throws, a part of the file may be left.
 */
async function writeSynced(
  path: string,
  data: string | Uint8Array,
  flag: 'w' | 'wx',
  mode: number,
): Promise<void> {
  const file = await open(path, flag, mode);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

function freshName(path: string): string {
  return `${path}.${randomHex(8)}.tmp`;
}
