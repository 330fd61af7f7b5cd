import { SQLiteError } from 'bun:sqlite';
import { DatabaseUnavailableError, type Trouble } from '../lib/errors.ts';
import { ConstraintError } from './database.ts';

/** What the beginnings of SQLite's codes say about the database. */
const TROUBLES: readonly (readonly [prefix: string, Trouble])[] = [
  ['SQLITE_FULL', 'disk_full'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_IOERR', 'io_error'],
  ['SQLITE_CANTOPEN', 'io_error'],
];

/** Makes an error of SQLite one of the gateway's; any other one passes unchanged. */
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

/** Whether another process holds the lock, so that the same may succeed soon. */
export function isLocked(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && error.reason === 'locked';
}
