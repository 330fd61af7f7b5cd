/** /readyz while the database refuses writes, is unreachable or does not answer, and the log lines about it. */
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { migrate, openDatabase, type DatabaseConfig } from '../../src/db/index.ts';
import { dialects, type TestDatabase } from '../support/databases.ts';
import type { Gateway } from '../support/gateway.ts';
import { startPostgres } from '../support/postgres.ts';
import { openWorld } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

/** Repeats a request until the answer has this status: the server repeats its failed write without a request. */
async function untilReady(gateway: Gateway, status: 200 | 503): Promise<void> {
  while ((await gateway.fetch('/readyz')).status !== status) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Stage extends AsyncDisposable {
  database?: TestDatabase;
  /** From now on it reads, and does not write. */
  refuseWrites(gateway: Gateway): Promise<unknown>;
  takeWrites(gateway: Gateway): Promise<unknown>;
}

/** The file may not grow, which SQLite reports as a full disk. */
function sqliteStage(): Stage {
  const pages = ({ core }: Gateway, max: number) =>
    core.db.transaction((tx) => tx.query(`PRAGMA max_page_count = ${max}`));
  return {
    refuseWrites: (gateway) => pages(gateway, 1),
    takeWrites: (gateway) => pages(gateway, 1_000_000),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A separate server, which the test makes read-only like a standby. */
async function postgresStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const server = await startPostgres();
  stack.defer(() => server.stop());
  const config: DatabaseConfig = { kind: 'postgres', url: server.urlOf('postgres') };
  const db = openDatabase(config);
  stack.defer(() => db.close());
  await migrate(db);
  const operator = new SQL(server.urlOf('postgres'), { max: 1 });
  stack.defer(() => operator.close());
  await operator.unsafe('SET default_transaction_read_only = off');
  const readOnly = async (value: 'on' | 'off') => {
    await operator.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await operator.unsafe('SELECT pg_reload_conf()');
  };
  const kept = stack.move();
  return {
    database: { db, config, [Symbol.asyncDispose]: () => Promise.resolve() },
    refuseWrites: () => readOnly('on'),
    takeWrites: () => readOnly('off'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: a database that takes no writes`, () => {
    test('makes the node not ready until it accepts them again; the log says why, once, and when it ends', async () => {
      await using stage = await (dialect === 'sqlite' ? sqliteStage() : postgresStage());
      const { database } = stage;
      const logged: LogLine[] = [];
      const log = recordingLog(logged);
      await using world = await openWorld(dialect, { log, ...(database && { database }) });
      const { gateway, user } = world;
      const alice = await user({ credit: 10_000 });
      const message = 'A message that needs pages of its own. '.repeat(50);
      await untilReady(gateway, 200);
      await stage.refuseWrites(gateway);
      const unready = untilReady(gateway, 503).then(() => 'unready');
      const sends: Promise<unknown>[] = [];
      // The first ones may still find space; one that finds none to settle in waits for it.
      for (let first: unknown; first !== 'unready';) {
        const send = alice.trySend({ message });
        sends.push(send);
        first = await Promise.race([send, unready]);
      }
      expect((await gateway.fetch('/healthz')).status).toBe(200);
      for (let times = 0; times < 3; times++) sends.push(alice.trySend({ message }));
      const reason = dialect === 'sqlite' ? 'disk_full' : 'read_only';
      const refused = await gateway.fetch('/readyz');
      expect(await refused.json()).toMatchObject({ status: 'not ready', reason });
      const { status, body } = await alice.trySend({ message });
      expect([status, body.error?.code]).toEqual([503, 'overloaded']);
      await stage.takeWrites(gateway);
      await untilReady(gateway, 200);
      await Promise.all(sends);
      await alice.send({ message });
      // On a busy machine the database may also seem not to answer.
      expect(logged.filter((line) => line['reason'] === reason)).toMatchObject([
        { level: 50, reason, why: expect.stringMatching(/full|read-only/) },
        { level: 40, reason, msg: 'database outage over', seconds: expect.any(Number) },
      ]);
      expect(logged[logged.findIndex(({ level }) => level === 50)]?.msg).toStartWith(
        'database outage: ',
      );
      expect(
        await gateway.core.db.query(`SELECT name FROM settings WHERE name LIKE '%probe%'`),
      ).toEqual([]);
    });
  });

  describe(`${dialect}: readiness`, () => {
    test('writes nothing while the database works', async () => {
      await using world = await openWorld(dialect);
      const { db } = world.gateway.core;
      let transactions = 0;
      const transaction = db.transaction.bind(db);
      db.transaction = (work) => {
        transactions++;
        return transaction(work);
      };
      for (let times = 0; times < 20; times++) await untilReady(world.gateway, 200);
      expect(transactions).toBe(0);
    });

    test('fails in time when the database is silent, and recovers with it', async () => {
      await using world = await openWorld(dialect);
      const { db } = world.gateway.core;
      const query = db.query.bind(db);
      Object.assign(db, { query: () => new Promise(() => undefined) });
      const checks = Array.from({ length: 5 }, () => world.gateway.fetch('/readyz'));
      for (const { status } of await Promise.all(checks)) expect(status).toBe(503);
      Object.assign(db, { query });
      await untilReady(world.gateway, 200);
    });
  });
}
