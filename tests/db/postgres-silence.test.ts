/** A PostgreSQL, pooler or network that falls silent without closing a connection. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { randomHex } from '../../src/lib/ids.ts';
import { describe, expect, test } from 'bun:test';
import { openDatabase, type Database } from '../../src/db/index.ts';
import { keepsSessions } from '../../src/db/pooling.ts';
import { StatementAges } from '../../src/db/statement-ages.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openSilentRelay, type SilentRelay } from '../support/silent-relay.ts';

/** Short, so that no test waits for seconds. */
const PATIENCE_MS = 100;
/** How often the server is queried about a statement: several times before the statement is given up. */
const LOOKS = 4;
/** Long enough for a busy machine to open a connection. */
const ANSWER_MS = 2_000;
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
    database,
    relay,
    config,
    db,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The answer to a statement, as soon as there is one: on a busy machine connecting may take longer than the wait. */
async function answered(db: Database): Promise<unknown> {
  for (;;) {
    const rows = await db.query(ONE).catch((error: unknown) => {
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
    });
    if (rows) return rows;
  }
}

/** Reads on one database what another keeps locked, for longer than several queries about the statement take. */
async function readWhileLocked(db: Database, other: Database, relay: SilentRelay) {
  const locked = Promise.withResolvers<void>();
  const enough = Promise.withResolvers<void>();
  const holder = other.transaction(async (tx) => {
    await tx.query('LOCK TABLE settings');
    locked.resolve();
    await enough.promise;
  });
  await locked.promise;
  await db.query(ONE);
  const looks = relay.opened(LOOKS);
  // Awaited from the beginning: it may fail while the queries are counted.
  const waiting = db.transaction((tx) => tx.query('SELECT name FROM settings'));
  waiting.catch(() => undefined);
  await looks;
  enough.resolve();
  await holder;
  return waiting;
}

describe.if(dialects.includes('postgres'))('postgres: silence', () => {
  test('waiting and later statements fail', async () => {
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
      betweenStatements,
      beforeItsEnd,
      db.query(ONE),
      db.snapshot((sql) => sql.query(ONE)),
      db.transaction((tx) => tx.query(ONE)),
    ];
    silent.resolve();
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(String(error)).toContain('does not answer');
    }
    expect(await failure(db.query(ONE))).toBeInstanceOf(DatabaseUnavailableError);
    relay.serveNewOnes();
    expect(await answered(db)).toEqual([{ one: 1 }]);
  });

  test('connections that died alone are replaced, as after a failover', async () => {
    await using it = await world();
    const { db, relay } = it;
    await db.query(ONE);
    relay.silence();
    relay.serveNewOnes();
    expect(await failure(db.query(ONE))).toBeInstanceOf(DatabaseUnavailableError);
    expect(await answered(db)).toEqual([{ one: 1 }]);
  });

  test.concurrent.each([
    ['ours', undefined],
    ['one of the URL', 'gateway-7'],
    ['one that the server cuts off', 'gateway-'.repeat(10)],
    ['one that it does not write so', 'застава'],
  ])(
    'waits for a statement while the server works on it, with an application name: %s',
    async (_, name) => {
      await using it = await world(ANSWER_MS, name);
      expect(await readWhileLocked(it.db, it.database.db, it.relay)).toEqual([]);
    },
  );

  test.concurrent('a statement is waited for even if the login works as another role', async () => {
    const [owner, login] = [`owner_${randomHex(4)}`, `login_${randomHex(4)}`];
    await using it = await world(ANSWER_MS);
    const { database, relay } = it;
    const outcome = async (...statements: string[]) => {
      for (const text of statements) await database.db.transaction((tx) => tx.query(text));
    };
    await outcome(
      `CREATE ROLE ${owner}`,
      `GRANT SELECT ON settings TO ${owner}`,
      `CREATE ROLE ${login} LOGIN IN ROLE ${owner}`,
      `ALTER ROLE ${login} SET role = '${owner}'`,
    );
    const url = new URL(it.config.url);
    url.username = login;
    const db = openDatabase({ ...it.config, url: url.href });
    try {
      expect(await db.query('SELECT current_user AS name')).toEqual([{ name: owner }]);
      expect(await readWhileLocked(db, database.db, relay)).toEqual([]);
    } finally {
      await db.close();
      await outcome(`DROP OWNED BY ${owner}`, `DROP ROLE ${login}`, `DROP ROLE ${owner}`);
    }
  });

  test.concurrent(
    'the check for a pooler ends, too',
    async () => {
      await using it = await world();
      it.relay.silence();
      expect(await failure(keepsSessions(it.config.url))).toBeInstanceOf(DatabaseUnavailableError);
    },
    300_000,
  );
});

test('statements are old after a whole period, whenever they began and whoever ended before', () => {
  const ages = new StatementAges();
  const first = ages.begin();
  expect(ages.nextPeriod()).toBe(false);
  const second = ages.begin();
  expect(ages.nextPeriod()).toBe(true);
  ages.end(first);
  expect(ages.nextPeriod()).toBe(true);
  ages.end(second);
  ages.end(ages.begin());
  expect([ages.nextPeriod(), ages.nextPeriod(), ages.nextPeriod()]).toEqual([false, false, false]);
});
