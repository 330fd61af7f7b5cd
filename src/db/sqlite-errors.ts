import { SQLiteError } from 'bun:sqlite';
import { DatabaseUnavailableError, type Trouble } from '../lib/errors.ts';
import { ConstraintError } from './database.ts';

/** The trouble with the database, by the beginning of SQLite's error code. */
const TROUBLES: readonly (readonly [prefix: string, Trouble])[] = [
  ['SQLITE_FULL', 'disk_full'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_IOERR', 'io_error'],
  ['SQLITE_CANTOPEN', 'io_error'],
];

/** Turns an error of SQLite into one of the gateway's; returns any other error unchanged. */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? '';
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    const kind = /UNIQUE|PRIMARYKEY/.test(code)
      ? 'unique'
      : code.endsWith('CHECK')
        ? 'check'
        : 'other';
    return new ConstraintError(kind, error.message, error);
  }
  const [, reason] = TROUBLES.find(([prefix]) => code.startsWith(prefix)) ?? [];
  if (reason === undefined) return error;
  const message = `the database can't be used now: ${error.message} (${code})`;
  return new DatabaseUnavailableError(message, { reason, cause: error });
}

/** Whether the cause is another process's lock: a repeat may succeed. */
export function isLocked(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && error.reason === 'locked';
}
