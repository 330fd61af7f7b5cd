/** Who holds the lock of a SQLite database, for those who wait for it. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type OpenedDatabase } from '../../src/db/index.ts';
import { lockHolder } from '../../src/db/lock-holder.ts';
import type { DatabaseUnavailableError } from '../../src/lib/errors.ts';

/** Only Linux tells who holds a lock. */
const onLinux = test.skipIf(!existsSync('/proc/locks'));
const holding = `
  const db = new (require('bun:sqlite').Database)(process.argv[1]);
  db.exec('BEGIN IMMEDIATE');
  console.log('held');
  process.stdin.on('end', () => (db.exec('ROLLBACK'), process.exit())).resume();
`;

let dir: string;
let path: string;
let db: OpenedDatabase;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zastava-lock-'));
  path = join(dir, 'zastava.sqlite');
  db = openDatabase({ kind: 'sqlite', path });
  await db.transaction((tx) => tx.query('CREATE TABLE t (a INTEGER)'));
});
afterEach(async () => {
  await db.close();
  await rm(dir, { recursive: true });
});

/** Another process that holds the lock until `release`. */
async function otherWriter() {
  const child = Bun.spawn([process.execPath, '-e', holding, path], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe('held\n');
  const release = async () => {
    // The end of its input; a second time has no effect.
    await child.stdin.end();
    await child.exited;
  };
  return { pid: child.pid, release, [Symbol.asyncDispose]: release };
}

onLinux(
  'the holder of a lock is named by its process and program, without its arguments',
  async () => {
    expect(lockHolder(path)).toBeUndefined();
    await using other = await otherWriter();
    expect(lockHolder(path)).toEqual({ pid: other.pid, command: expect.stringMatching(/^bun/) });
    expect(lockHolder(path)?.command).not.toMatch(/sqlite|BEGIN/);
    await other.release();
    expect(lockHolder(path)).toBeUndefined();
  },
);

onLinux('the holder of a lock is this process itself while it writes', async () => {
  const holder = await db.transaction(() => Promise.resolve(lockHolder(path)));
  expect(holder?.pid).toBe(process.pid);
});

onLinux('a write that has to wait reports the holder of the lock to its watchers', async () => {
  await using other = await otherWriter();
  const reported = Promise.withResolvers<DatabaseUnavailableError>();
  db.watch((error) => reported.resolve(error));
  const waiting = db.transaction((tx) => tx.query('INSERT INTO t VALUES (1)'));
  const { reason, message } = await reported.promise;
  expect(reason).toBe('locked');
  expect(message).toContain(`locked (SQLITE_BUSY) by process ${other.pid} (bun`);
  await other.release();
  await waiting;
  expect(await db.query('SELECT a FROM t')).toEqual([{ a: 1 }]);
});

test('the holder of a lock is unknown if there is no such file', () => {
  expect(lockHolder(join(dir, 'no.sqlite'))).toBeUndefined();
});
