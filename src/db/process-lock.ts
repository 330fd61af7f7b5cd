import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A lock that is held until `release`, or until the process ends in whatever way. */
export interface ProcessLock {
  /**
   * Identifies the locked file until the machine restarts: 32 hexadecimal digits. The holder of the lock knows that an
   * earlier holder in the same place is dead. A copy of the file, on this machine or on a clone of it, is a different
   * place, and proves nothing about the original.
   */
  readonly place: string;
  release(): void;
}

/**
 * The file that a server locks in its data directory while it runs. With SQLite there is one server, in slot 0: the
 * holder of its lock knows that no server runs, and prevents one from starting.
 */
export function serverLockFile(dataDir: string, slot = 0): string {
  return join(dataDir, `node-${slot}.lock`);
}

/**
 * Takes an exclusive lock on a file, or returns undefined if another process holds it. The lock is an exclusive SQLite
 * transaction on an otherwise empty database: the operating system releases it when the process dies, even by kill -9.
 * A file with a process id would remain.
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

/** On Linux, a random name of this boot; elsewhere, the machine's name. */
function machineStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
