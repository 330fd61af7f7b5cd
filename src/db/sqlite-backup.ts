import { createReadStream } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import { inCopyThread, type Checked } from './copy-thread.ts';
import { schemaProblem } from './migrate.ts';
import { exists, refused, sizeOf, writeWhole } from './whole-file.ts';

/** Bytes per read of a restore. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a SQLite database into a file, as of one moment, while other processes continue to write to it. When this
 * returns, the copy is durable, and only its owner can read it. It gets its name only when it is complete.
 * @param signal stops the copy and removes the unfinished file
 * @param part the name of the file until it is complete; a file that an earlier run left there is replaced
 * @returns the size of the copy in bytes
 * @throws `invalid_request` if the database does not exist, or the copy's name does; an error that names both files if
 * one can't be read or the other can't be written
 */
export async function backupSqlite(
  source: string,
  target: string,
  signal?: AbortSignal,
  part = `${target}.part`,
): Promise<number> {
  if (!(await exists(source))) throw refused(`there is no database at ${source}`);
  return writeWhole(target, part, () =>
    withNames(source, target, inCopyThread({ kind: 'copy', source, part }, signal), signal),
  );
}

/** Adds the names of both files to an error: SQLite and the system name neither, and either disk may be full. */
async function withNames<T>(
  from: string,
  to: string,
  copying: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await copying;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(`can't copy ${from} to ${to}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Restores a database from a copy that `backupSqlite` made, and checks it before it gets its name.
 * @param signal stops the restore and removes what was written
 * @returns the size of the database in bytes
 * @throws `invalid_request` if a database exists already, or the copy is damaged, is not a database of Zastava, or has
 *   a schema that this version can't use
 */
export async function restoreSqlite(
  backup: string,
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  await requireFile(backup);
  for (const file of [target, `${target}-wal`]) {
    if (await exists(file)) {
      throw refused(`${file} exists already: restore into an empty data directory`);
    }
  }
  if (((await sizeOf(`${backup}-wal`)) ?? 0) > 0) {
    throw refused(`${backup} is a live database, not a backup: make one with zastava backup FILE`);
  }
  return writeWhole(target, `${target}.part`, async (part, file) => {
    await withNames(backup, target, copyFile(backup, file, signal), signal);
    await check(part, backup, signal);
  });
}

async function copyFile(from: string, to: FileHandle, signal?: AbortSignal): Promise<void> {
  for await (const piece of createReadStream(from, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted();
    await to.appendFile(piece as Buffer);
  }
}

/** Reads every page of a copy. @param name the copy's name in errors */
async function check(path: string, name: string, signal?: AbortSignal): Promise<void> {
  let found: Checked | undefined;
  try {
    found = await inCopyThread({ kind: 'check', path }, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw refused(`${name} can't be read as a database: ${messageOf(error)}`);
  }
  const { problem = 'no answer', schema } = found ?? {};
  if (problem !== 'ok') throw refused(`${name} is damaged: ${problem}`);
  if (schema === undefined) throw refused(`${name} is not a database of Zastava`);
  const unsupported = schemaProblem(schema);
  if (unsupported !== undefined) throw refused(`${name} has ${unsupported}`);
}

async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw refused(`the file ${path} does not exist`);
  if (!found.isDirectory()) return;
  throw refused(`${path} is a directory: name a file that zastava backup made`);
}
