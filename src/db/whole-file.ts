import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nameOnce, syncDirectory } from '../lib/durable-file.ts';
import { DomainError, messageOf } from '../lib/errors.ts';

/**
 * The files that SQLite creates beside a database. SQLite would apply those of a killed run to the next database of
 * that name.
 */
const SUFFIXES = ['', '-journal', '-wal', '-shm'];

/**
 * Writes a file that gets its name only when it is complete and on the disk, and never replaces another file. Until
 * then it is named `part`, and only its owner can read it; a file that an earlier run left there is replaced. When this
 * returns, the new name is on the disk as well; when it throws, `part` is removed.
 * @param part the file's name until it is complete, in the same directory
 * @param fill writes the part, which is empty, by its name or by the handle
 * @returns the size in bytes
 * @throws `invalid_request` if the name exists or can't be written
 */
export async function writeWhole(
  target: string,
  part: string,
  fill: (part: string, file: FileHandle) => Promise<unknown>,
): Promise<number> {
  if (await exists(target)) throw taken(target);
  try {
    await removeAll(part);
    await using file = await open(part, 'wx', 0o600).catch((error: unknown) => {
      throw refused(`${part} can't be written: ${messageOf(error)}`);
    });
    await fill(part, file);
    await file.sync();
    await publish(part, target, file);
  } finally {
    await removeAll(part);
  }
  await syncDirectory(dirname(target));
  return (await stat(target)).size;
}

async function publish(part: string, target: string, file: FileHandle): Promise<void> {
  const isNamed = await nameOnce(part, target).catch((error: unknown) => {
    throw refused(`${target} can't be written: ${messageOf(error)}`);
  });
  if (!isNamed) throw taken(target);
  if ((await stat(target)).ino === (await file.stat()).ino) return;
  await rm(target, { force: true });
  throw refused(`${part} was replaced: another command writes to the same name`);
}

function taken(target: string): DomainError {
  return refused(`${target} exists already: choose another name`);
}

async function removeAll(part: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(part + suffix, { force: true });
}

export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined;
}

/** @returns undefined if the file does not exist */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

export function refused(message: string): DomainError {
  return new DomainError('invalid_request', message);
}
