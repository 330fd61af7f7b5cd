import { createReadStream } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import { inCopyThread, type Checked } from './copy-thread.ts';
import { migrations } from './migrations/index.ts';
import { exists, refused, sizeOf, writeWhole } from './whole-file.ts';

/** Bytes copied at a time. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a SQLite database into a file, as of one moment, while other processes go on writing to it.
 * The copy is durable when it returns, readable by its owner alone, and under its name only when whole.
 * @param signal stops it, and leaves nothing behind
 * @param part the name of the copy until it is whole; what a run that died left there is replaced
 * @returns the size of the copy in bytes
 * @throws `invalid_request` when there is no database, or the file is there already; an error that names both files
 *   when one can't be read or the other not be written
 */
export async function backupSqlite(
  source: string,
  target: string,
  signal?: AbortSignal,
  part = partOf(target),
): Promise<number> {
  if (!(await exists(source))) throw refused(`there is no database at ${source}`);
  return writeWhole(target, part, () =>
    naming(source, target, inCopyThread({ kind: 'copy', source, part }, signal), signal),
  );
}

/** Names both files where copying fails: neither SQLite nor the system does, and a full disk may be that of either. */
async function naming<T>(
  from: string,
  to: string,
  copying: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await copying;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(`${from} can't be copied to ${to}: ${messageOf(error)}`, { cause: error });
  }
}

function partOf(target: string): string {
  return `${target}.part`;
}

/**
 * Puts a copy made by `backupSqlite` where a database shall be. It is checked before it gets there.
 * @param signal stops it, and leaves nothing behind
 * @returns the size of the database in bytes
 * @throws `invalid_request` when a database is there already, or the copy is damaged, no database of
 *   Zastava, or one of a newer version
 */
export async function restoreSqlite(
  backup: string,
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  await refuseNoFile(backup);
  for (const file of [target, `${target}-wal`]) {
    if (await exists(file)) {
      throw refused(`${file} is there already: restore into an empty data directory`);
    }
  }
  if (((await sizeOf(`${backup}-wal`)) ?? 0) > 0) {
    throw refused(`${backup} is a live database, not a backup: make one with zastava backup FILE`);
  }
  return writeWhole(target, partOf(target), async (part, file) => {
    await naming(backup, target, copyFile(backup, file, signal), signal);
    await check(part, backup, signal);
  });
}

async function copyFile(from: string, to: FileHandle, signal?: AbortSignal): Promise<void> {
  for await (const piece of createReadStream(from, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted();
    await to.appendFile(piece as Buffer);
  }
}

/** Reads every page of a copy. @param name what it is called in the error */
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
  if (schema === undefined) throw refused(`${name} is no database of Zastava`);
  const newest = migrations.at(-1)?.number ?? 0;
  if (schema > newest) {
    throw refused(
      `${name} has schema ${schema}, this version knows ${newest}: use a newer Zastava`,
    );
  }
}

async function refuseNoFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw refused(`there is no file ${path}`);
  if (!found.isDirectory()) return;
  throw refused(`${path} is a directory: name a file that zastava backup has made`);
}
