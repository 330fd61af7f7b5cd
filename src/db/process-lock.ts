import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Held until `release` or the end of the process, however it ends. */
export interface ProcessLock {
  /**
   * Tells the locked file from all others until the machine starts anew: 32 hexadecimal digits. Whoever holds this lock
   * knows that an earlier holder in the same place is dead. A copy of the file, on this machine or on a cloned
   * one, is another place: who holds that knows nothing of the original's.
   */
  readonly place: string;
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
  return { place: placeOf(path), release: () => db.close() };
}

function placeOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  const place = `${machineStart()} ${dev} ${ino}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 32);
}

/** A random name of this start of the machine on Linux; elsewhere the machine's name. */
function machineStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
