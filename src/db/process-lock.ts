import { Database } from 'bun:sqlite';
import { join } from 'node:path';

/** Held until `release` or the end of the process, however it ends. */
export interface ProcessLock {
  release(): void;
}

/**
 * The file that a server locks in its data directory for as long as it lives. With SQLite there is one server, in slot 0:
 * whoever has its lock knows that none runs, and keeps one from starting.
 */
export function serverLockFile(dataDir: string, slot = 0): string {
  return join(dataDir, `node-${slot}.lock`);
}

/**
 * Takes an exclusive lock on a file, or returns undefined when another process holds it. It is an
 * exclusive SQLite transaction on an otherwise empty database: the operating system frees it when the
 * process dies, also by kill -9, which a file with a process id in it would not survive.
 */
export function acquireProcessLock(path: string): ProcessLock | undefined {
  const db = new Database(path, { create: true });
  try {
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('BEGIN EXCLUSIVE');
  } catch {
    db.close();
    return undefined;
  }
  return { release: () => db.close() };
}
