/**
 * Files that are under their name only when they are whole, also after a kill or a loss of power: written under another
 * name in the same directory, brought to the disk, and named then.
 */
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomHex } from './ids.ts';

export interface ReplaceOptions {
  /** Of the file that is written, less the process's umask; what the old file had is not looked at. */
  mode: number;
  /**
   * The name of the file while it is written; what a killed process left there is replaced. By default a fresh one, which
   * a killed process leaves for good.
   */
  part?: string;
}

/** What file systems say that know no second name for a file. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/**
 * Creates a file for its owner alone (0600), and leaves one that is there as it is.
 *
 * When it returns true, the file and its name are on the disk; of one that was there nothing is known. When it throws,
 * nothing is left, but the whole file where only its directory could not be brought to the disk. A killed process may
 * leave `NAME.….tmp` for good.
 * @returns whether it is this file now; of several who try at once, one gets true
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
 * Writes a file in place of what is there, if anything: a reader finds the old file or the new one, nothing between.
 *
 * When it returns, the new one and its name are on the disk. When it throws, the old one stands with nothing beside it,
 * or the new one where only its directory could not be brought to the disk. A killed process may leave the part.
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
 * Gives a file that is on the disk another name in its directory, and never takes that from another file; but where the
 * file system has no links, from one that gets it in the same moment.
 *
 * The new name is on the disk after `syncDirectory`. The old one is the caller's to remove, whatever came of it.
 * @returns false when the name is taken; nothing was done then
 */
export async function nameOnce(part: string, path: string): Promise<boolean> {
  try {
    // A link never replaces what is there; a rename would.
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

/** Waits until the names in a directory have reached the disk: those of new files, and that removed ones are gone. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The file is on the disk when this returns, its name is not; when it throws, a part of it may be left. */
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
