import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nameOnce, syncDirectory } from '../lib/durable-file.ts';
import { DomainError, messageOf } from '../lib/errors.ts';

/**
 * Files that SQLite puts beside a database. One left by a killed run would be applied to the next file of that name.
 */
const BESIDE = ['', '-journal', '-wal', '-shm'];

/**
 * Writes a file that is under its name only when it is whole and on the disk, and never in place of another.
 * Until then it is the part, which its owner alone reads; what a run that died left there is replaced. When this
 * returns, the file's name is on the disk as well; when it throws, the part is gone.
 * @param part the file's name until it is whole, in the same directory
 * @param fill gets the part, empty, to be written by its name or by the handle
 * @returns its size in bytes
 * @throws `invalid_request` when the name is taken or can't be written
 */
export async function writeWhole(
  target: string,
  part: string,
  fill: (part: string, file: FileHandle) => Promise<unknown>,
): Promise<number> {
  await refuseTaken(target);
  try {
    await removeAll(part);
    await using file = await reserve(part);
    await fill(part, file);
    await file.sync();
    await publish(part, target, file);
  } finally {
    await removeAll(part);
  }
  await syncDirectory(dirname(target));
  return (await stat(target)).size;
}

/** Gives the part its name. */
async function publish(part: string, target: string, file: FileHandle): Promise<void> {
  const isNamed = await nameOnce(part, target).catch((error: unknown) => {
    throw refused(`${target} can't be written: ${messageOf(error)}`);
  });
  if (!isNamed) throw taken(target);
  if ((await stat(target)).ino === (await file.stat()).ino) return;
  await rm(target, { force: true });
  throw refused(`${part} was replaced: another command writes to the same name`);
}

async function refuseTaken(target: string): Promise<void> {
  if (await exists(target)) throw taken(target);
}

function taken(target: string): DomainError {
  return refused(`${target} is there already: choose another name`);
}

/** Makes an empty file that only its owner reads. */
async function reserve(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    throw refused(`${path} can't be written: ${messageOf(error)}`);
  }
}

async function removeAll(part: string): Promise<void> {
  for (const suffix of BESIDE) await rm(part + suffix, { force: true });
}

/** True where there is a file that can be seen. */
export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined;
}

/** @returns undefined where there is no file */
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
