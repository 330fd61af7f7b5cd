/** A PostgreSQL, or a pooler or network before it, that falls silent without closing a connection. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { keepsSessions, openDatabase } from '../../src/db/index.ts';
import { StatementAges } from '../../src/db/statement-ages.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openSilentRelay } from '../support/silent-relay.ts';

/** So that nobody waits for seconds. */
const PATIENCE_MS = 100;
/** Times that the server is asked after a statement: more than it takes to give it up. */
const LOOKS = 4;
/** Enough for a busy machine to open a connection in. */
const ANSWER_MS = 500;
const ONE = 'SELECT 1 AS one';

/** @param name of the connections in the URL */
async function world(patienceMs = PATIENCE_MS, name?: string) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase('postgres'));
  if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
  const url = new URL(database.config.url);
  const relay = stack.use(await openSilentRelay(Number(url.port)));
  url.port = String(relay.port);
  if (name !== undefined) url.searchParams.set('application_name', name);
  const config = { ...database.config, url: url.href, patienceMs };
  const db = openDatabase(config);
  stack.defer(() => db.close());
  const kept = stack.move();
  return {
    ...{ database, relay, config, db },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

describe.if(dialects.includes('postgres'))('postgres: silence', () => {
  test('whatever waits is told, and so is what comes later', async () => {
    await using it = await world();
    const { db, relay } = it;
    const inside = Promise.withResolvers<void>();
    const silent = Promise.withResolvers<void>();
    const betweenStatements = db.transaction(async (tx) => {
      await tx.query(ONE);
      inside.resolve();
      await silent.promise;
      return tx.query(ONE);
    });
    const beforeItsEnd = db.transaction(async (tx) => {
      await tx.query(ONE);
      await silent.promise;
    });
    await inside.promise;
    await Promise.all([db.query(ONE), db.query(ONE)]);
    relay.silence();
    const calls = [
      ...[betweenStatements, beforeItsEnd, db.query(ONE), db.snapshot((sql) => sql.query(ONE))],
      db.transaction((tx) => tx.query(ONE)),
    ];
    silent.resolve();
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(String(error)).toContain('does not answer');
    }
    expect(await failure(db.query(ONE))).toBeInstanceOf(DatabaseUnavailableError);
    relay.serveNewOnes();
    for (let rows: unknown; rows === undefined;) {
      rows = await db.query(ONE).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DatabaseUnavailableError);
      });
    }
  });

  test('connections that died alone are replaced, as after a failover', async () => {
    await using it = await world();
    const { db, relay } = it;
    await db.query(ONE);
    relay.silence();
    relay.serveNewOnes();
    expect(await failure(db.query(ONE))).toBeInstanceOf(DatabaseUnavailableError);
    expect(await db.query(ONE)).toEqual([{ one: 1 }]);
  });

  test.each([
    ['ours', undefined],
    ['one of the URL', 'gateway-7'],
    ['one that the server cuts off', 'gateway-'.repeat(10)],
    ['one that it does not write so', 'застава'],
  ])(
    'a statement is waited for while the server works on it, by whatever name: %s',
    async (_, name) => {
      await using it = await world(ANSWER_MS, name);
      const { db, database, relay } = it;
      const locked = Promise.withResolvers<void>();
      const enough = Promise.withResolvers<void>();
      const holder = database.db.transaction(async (tx) => {
        await tx.query('LOCK TABLE settings');
        locked.resolve();
        await enough.promise;
      });
      await locked.promise;
      await db.query(ONE);
      const looks = relay.opened(LOOKS);
      const waiting = db.transaction((tx) => tx.query('SELECT name FROM settings'));
      await looks;
      enough.resolve();
      await holder;
      expect(await waiting).toEqual([]);
    },
  );

  test('a look for a pooler ends as well', async () => {
    await using it = await world();
    it.relay.silence();
    expect(await failure(keepsSessions(it.config.url))).toBeInstanceOf(DatabaseUnavailableError);
  }, 20_000);
});

test('statements are old after a whole period, whenever they began and whoever ended before', () => {
  const ages = new StatementAges();
  const first = ages.begin();
  expect(ages.turn()).toBe(false);
  const second = ages.begin();
  expect(ages.turn()).toBe(true);
  ages.end(first);
  expect(ages.turn()).toBe(true);
  ages.end(second);
  ages.end(ages.begin());
  expect([ages.turn(), ages.turn(), ages.turn()]).toEqual([false, false, false]);
});
