/** Open messages of a dead process, a silent node or a stop are closed once, and not charged. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { InFlight, NodeLease, Recovery, SendCommit } from '../../src/chat/index.ts';
import { openDatabase, type Database, type Dialect } from '../../src/db/index.ts';
import { verifyBooks } from '../../src/ledger/index.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { movableClock, stillClock, type MovableClock } from '../support/clock.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { catalogueOf, expectBooksHold, openWorld, type HistoryItem } from '../support/world.ts';
import { startServer } from '../torture/support/server-process.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'zastava-recovery-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A second node on the gateway's database, with its own clock and timers that do not fire during a test. */
async function otherNode(
  gateway: Gateway,
  clock: MovableClock,
  stack: AsyncDisposableStack,
  { db = gateway.core.db, log = silentLog }: { db?: Database; log?: Log } = {},
) {
  const inFlight = new InFlight();
  const commit = new SendCommit(db, clock, () => undefined);
  const recovery = new Recovery({ db, clock, commit, inFlight });
  const dataDir = await temporaryDirectory(stack);
  const lease = await NodeLease.start({ db, clock, log, recovery, dataDir });
  stack.defer(() => lease.stop());
  return { lease, recovery, inFlight };
}

/** Makes the open messages belong to a node that is registered and has fallen silent. */
async function bequeathToSilentNode({ core }: Gateway): Promise<number> {
  const silent = 9_999;
  await core.db.transaction(async (tx) => {
    await tx.query(`INSERT INTO nodes (id, slot, beat) VALUES ($1, 'somewhere/0', 7)`, [silent]);
    await tx.query(`UPDATE messages SET node_id = $1 WHERE state = 'pending'`, [silent]);
  });
  return silent;
}

const nodeIds = async ({ core }: Gateway): Promise<number[]> =>
  (await core.db.query<{ id: number }>('SELECT id FROM nodes ORDER BY id')).map(({ id }) => id);

/** A client of a server in another process. */
function clientOf(url: string) {
  return async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: unknown; error?: { code: string } };
    return { status: response.status, data: answer.data as never, code: answer.error?.code };
  };
}

async function killedAndStartedAgain(dialect: Dialect): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.use(await ScriptedProvider.start());
  const dataDir = await temporaryDirectory(stack);
  await Bun.write(join(dataDir, 'catalogue.yaml'), catalogueOf(provider));
  const database = stack.use(await openTestDatabase(dialect));
  const env = {
    ZASTAVA_DATA_DIR: dataDir,
    ZASTAVA_SECRET: 's'.repeat(32),
    ZASTAVA_CATALOGUE: join(dataDir, 'catalogue.yaml'),
    ZASTAVA_ADMIN_PASSWORD: PASSWORD,
    ...(database.config.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.config.url }),
  };
  const first = await startServer(env);
  const post = clientOf(first.url);
  const login = { login: 'admin', password: PASSWORD };
  const { token } = (await post('/auth/login/', login)).data as { token: string };
  const bearer = { authorization: `Bearer ${token}` };
  const { room_id } = (await post('/ai/room/', {}, bearer)).data as { room_id: string };
  const body = { room_id, ai: 101, message: 'the last words' };
  const key = { ...bearer, 'idempotency-key': 'survives' };
  await provider.script('hold');
  const lost = [post('/ai/send/', body, key), post('/ai/send/', body, bearer)].map(failure);
  await provider.held(2);
  await first.kill();
  await Promise.all(lost);
  await provider.script('good');

  const second = await startServer(env);
  const again = clientOf(second.url);
  const query = { room_id, include_failed: true };
  const history = (await again('/ai/history/', query, bearer)).data as { data: HistoryItem[] };
  expect(history.data.map(({ state, error_code }) => [state, error_code])).toEqual([
    ['failed', 'interrupted'],
    ['failed', 'interrupted'],
  ]);
  const account = (await again('/account/', {}, bearer)).data as object;
  expect(account).toMatchObject({ balance: 1_000, held: 0 });
  // The key is free: the request can be repeated, and is executed once.
  const repeated = await again('/ai/send/', body, key);
  expect(repeated.status).toBe(200);
  expect(await again('/ai/send/', body, key)).toEqual(repeated);
  expect(provider.calls).toHaveLength(3);
  expect(await second.stop()).toBe(0);
  const path = join(dataDir, 'zastava.sqlite');
  const db = openDatabase(dialect === 'sqlite' ? { kind: 'sqlite', path } : database.config);
  expect((await verifyBooks(db)).filter(({ holds }) => !holds)).toEqual([]);
  await db.close();
}

for (const dialect of dialects) {
  describe(`${dialect}: recovery`, () => {
    test('a killed process: the next start on its data directory closes its open messages', async () => {
      await killedAndStartedAgain(dialect);
    }, 300_000);

    test('a silent node: another node closes its messages after 30 seconds, and its late settle has no effect', async () => {
      await using world = await openWorld(dialect);
      await using stack = new AsyncDisposableStack();
      const { gateway, provider, user } = world;
      const clock = movableClock();
      const { lease } = await otherNode(gateway, clock, stack);
      const alice = await user();
      await provider.script('hold');
      const zombie = alice.trySend({}, { headers: { 'idempotency-key': 'z' } });
      await provider.held(1);
      const silent = await bequeathToSilentNode(gateway);
      await lease.beat();
      clock.forward(29_000);
      await lease.beat();
      expect((await alice.funds()).held).toBeGreaterThan(0);
      clock.forward(1_000);
      await lease.beat();
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      expect(await nodeIds(gateway)).not.toContain(silent);
      await provider.script('good');
      provider.release();
      const { status, body, ...answer } = await zombie;
      expect([status, body.error?.code]).toEqual([503, 'overloaded']);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(await alice.charges()).toEqual([]);
      const admin = await user({ isAdmin: true });
      const headers = { authorization: `Bearer ${admin.token}` };
      const metrics = await (await gateway.fetch('/metrics', { headers })).text();
      expect(metrics).toContain('zastava_sends_total{model="101",outcome="lost"} 1');
      expect(metrics).toContain('zastava_charged_rubles_total{model="101"} 0\n');
      const [item] = await alice.history({ include_failed: true });
      expect(item).toMatchObject({ state: 'failed', error_code: 'interrupted', response: '' });
      // The key is free again.
      await alice.send({}, { headers: { 'idempotency-key': 'z' } });
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(gateway);
    });

    test('a zombie whose answer is a stream ends in an error, and charges nothing', async () => {
      await using world = await openWorld(dialect);
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script('hold');
      const zombie = alice.stream();
      await provider.held(1);
      const silent = await bequeathToSilentNode(gateway);
      await using stack = new AsyncDisposableStack();
      const { recovery } = await otherNode(gateway, movableClock(), stack);
      await recovery.recoverNode(silent);
      provider.release();
      const events = await (await zombie).text();
      expect(events).toContain('event: error');
      expect(events).toContain('"code":"overloaded"');
      expect(events).not.toContain('event: done');
      expect(await alice.charges()).toEqual([]);
      await expectBooksHold(gateway);
    });

    test('a zombie whose answer is an image leaves no image', async () => {
      await using world = await openWorld(dialect);
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script('hold');
      const zombie = alice.trySend({ ai: 103 });
      await provider.held(1);
      const silent = await bequeathToSilentNode(gateway);
      await using stack = new AsyncDisposableStack();
      const { recovery } = await otherNode(gateway, movableClock(), stack);
      await recovery.recoverNode(silent);
      await provider.script('good');
      provider.release();
      expect((await zombie).status).toBe(503);
      const { core } = gateway;
      expect(await core.db.query('SELECT id FROM images')).toEqual([]);
      expect(await core.db.query('SELECT id FROM image_bytes')).toEqual([]);
      const files = await Array.fromAsync(
        new Bun.Glob('images/**/*.png').scan({ cwd: gateway.dataDir }),
      );
      expect(files).toEqual([]);
    });

    test('a hold and its key are released in one transaction', async () => {
      await using world = await openWorld(dialect);
      const { gateway, provider, user } = world;
      const alice = await user();
      const key = { headers: { 'idempotency-key': 'k' } };
      await provider.script('hold');
      const zombie = alice.trySend({}, key);
      await provider.held(1);
      const silent = await bequeathToSilentNode(gateway);
      const { db: real } = gateway.core;
      let transactions = 0;
      const db: Database = {
        ...real,
        transaction: (work) =>
          transactions++ > 0
            ? Promise.reject(new DatabaseUnavailableError('away'))
            : real.transaction(work),
      };
      const clock = movableClock();
      const commit = new SendCommit(db, clock, () => undefined);
      await new Recovery({ db, clock, commit, inFlight: new InFlight() }).recoverNode(silent);
      await provider.script('good');
      provider.release();
      expect((await zombie).status).toBe(503);
      expect((await alice.trySend({}, key)).status).toBe(200);
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(gateway);
    });

    test('a message of a node whose clock runs ahead is not closed before it began', async () => {
      const ahead = movableClock();
      ahead.forward(3_600_000);
      await using world = await openWorld(dialect, { clock: ahead });
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script('hold');
      const zombie = alice.trySend();
      await provider.held(1);
      const silent = await bequeathToSilentNode(gateway);
      await using stack = new AsyncDisposableStack();
      const { recovery } = await otherNode(gateway, movableClock(), stack);
      await recovery.recoverNode(silent);
      const [closed] = await gateway.core.db.query<{ begun: number; ended: number }>(
        'SELECT created_at AS begun, response_at AS ended FROM messages WHERE user_id = $1',
        [alice.userId],
      );
      expect(closed?.ended).toBeGreaterThanOrEqual(closed?.begun ?? Infinity);
      await provider.script('good');
      provider.release();
      expect((await zombie).status).toBe(503);
    });

    test('an answer is not older than its request, even if the clock was set back', async () => {
      const clock = movableClock();
      await using world = await openWorld(dialect, { clock });
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script('hold');
      const sending = alice.send();
      await provider.held(1);
      clock.forward(-3_600_000);
      await provider.script('good');
      provider.release();
      await sending;
      const [row] = await gateway.core.db.query<{ begun: number; ended: number }>(
        'SELECT created_at AS begun, response_at AS ended FROM messages WHERE user_id = $1',
        [alice.userId],
      );
      expect(row?.ended).toBeGreaterThanOrEqual(row?.begun ?? Infinity);
      await expectBooksHold(gateway);
    });

    test('a node with heartbeats is alive, however the wall clock jumps', async () => {
      await using gateway = await openGateway(dialect);
      await using stack = new AsyncDisposableStack();
      const clock = movableClock();
      const observer = await otherNode(gateway, clock, stack);
      const { db } = gateway.core;
      const silent = await bequeathToSilentNode(gateway);
      for (let round = 0; round < 5; round++) {
        clock.forward(29_000);
        await observer.lease.beat();
        await db.transaction((tx) =>
          tx.query('UPDATE nodes SET beat = beat + 1 WHERE id = $1', [silent]),
        );
      }
      expect(await nodeIds(gateway)).toContain(silent);
      const jumping = { ...clock, now: () => Date.now() + 10 ** 12 };
      const other = await otherNode(gateway, jumping, stack);
      await other.lease.beat();
      await other.lease.beat();
      // On SQLite a starting process is the only one, so every registered node is dead.
      if (dialect === 'postgres') expect(await nodeIds(gateway)).toContain(silent);
    });

    test('failing heartbeats are logged once, and so is their recovery', async () => {
      await using gateway = await openGateway(dialect);
      await using stack = new AsyncDisposableStack();
      const clock = stillClock();
      const logged: LogLine[] = [];
      let fault: Error | undefined;
      const { db: real } = gateway.core;
      const db: Database = {
        ...real,
        transaction: (work) => (fault ? Promise.reject(fault) : real.transaction(work)),
      };
      const { lease } = await otherNode(gateway, clock, stack, { db, log: recordingLog(logged) });
      logged.length = 0;
      fault = new Error('a broken row');
      for (let beats = 0; beats < 3; beats++) await lease.beat();
      const task = 'the beat of this node';
      expect(logged).toMatchObject([{ task, msg: 'a periodic task fails; it is repeated' }]);
      clock.forward(12_000);
      fault = undefined;
      for (let beats = 0; beats < 2; beats++) await lease.beat();
      expect(logged.slice(1)).toMatchObject([
        { task, msg: 'a periodic task works again', seconds: 12 },
      ]);
      // The database's monitor logs the outage itself.
      fault = new DatabaseUnavailableError('away');
      await lease.beat();
      expect(logged).toHaveLength(2);
    });

    test('a node that was considered dead registers again', async () => {
      await using gateway = await openGateway(dialect);
      await using stack = new AsyncDisposableStack();
      const { lease } = await otherNode(gateway, movableClock(), stack);
      const { id } = lease;
      const { db } = gateway.core;
      await db.transaction((tx) => tx.query('DELETE FROM nodes WHERE id = $1', [id]));
      await lease.beat();
      expect(lease.id).toBeGreaterThan(id);
      expect(await nodeIds(gateway)).toContain(lease.id);
    });

    test('an orphaned hold of this node is voided by the second sweep, one in flight is not', async () => {
      await using world = await openWorld(dialect);
      await using stack = new AsyncDisposableStack();
      const { gateway, provider, user } = world;
      const clock = movableClock();
      const { lease, recovery, inFlight } = await otherNode(gateway, clock, stack);
      const [alice, bob] = [await user(), await user()];
      const key = { headers: { 'idempotency-key': 'both' } };
      await provider.script('hold');
      const sends = [alice.trySend({}, key), bob.trySend({}, key)];
      await provider.held(2);
      const { db } = gateway.core;
      await db.transaction((tx) => tx.query('UPDATE messages SET node_id = $1', [lease.id]));
      inFlight.start(bob.userId, 1);
      expect(await recovery.sweepOwn(lease.id)).toBe(0);
      expect((await alice.funds()).held).toBeGreaterThan(0);
      expect(await recovery.sweepOwn(lease.id)).toBe(1);
      expect((await alice.funds()).held).toBe(0);
      expect((await bob.funds()).held).toBeGreaterThan(0);
      await provider.script('good');
      // The messages of both have the same number; only the key of the voided one is free.
      expect(await bob.code({}, key)).toBe('idempotency_in_progress');
      expect((await alice.send({}, key)).id).toBe(2);
      provider.release();
      expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([503, 200]);
      await expectBooksHold(gateway);
    });

    test('a heartbeat voids orphaned holds: its own, and those of unlisted nodes', async () => {
      await using world = await openWorld(dialect);
      await using stack = new AsyncDisposableStack();
      const { gateway, provider, user } = world;
      const clock = movableClock();
      const { lease } = await otherNode(gateway, clock, stack);
      const [own, unlisted] = [await user(), await user()];
      await provider.script('hold');
      const sends = [own.trySend(), unlisted.trySend()];
      await provider.held(2);
      const { db } = gateway.core;
      const giveTo = (node: number, { userId }: { userId: number }) =>
        db.transaction((tx) =>
          tx.query('UPDATE messages SET node_id = $1 WHERE user_id = $2', [node, userId]),
        );
      await giveTo(lease.id, own);
      await giveTo(9_999, unlisted);
      await lease.beat();
      expect((await own.funds()).held).toBeGreaterThan(0);
      await lease.beat();
      expect((await own.funds()).held).toBe(0);
      expect((await unlisted.funds()).held).toBeGreaterThan(0);
      clock.forward(30_000);
      await lease.beat();
      expect((await unlisted.funds()).held).toBe(0);
      await provider.script('good');
      provider.release();
      for (const { status } of await Promise.all(sends)) expect(status).toBe(503);
      await expectBooksHold(gateway);
    });

    test('a living node that was considered dead continues its sends', async () => {
      await using world = await openWorld(dialect);
      await using stack = new AsyncDisposableStack();
      const { gateway, provider, user } = world;
      const { db } = gateway.core;
      const clock = movableClock();
      const logged: LogLine[] = [];
      const { lease, inFlight } = await otherNode(gateway, clock, stack, {
        log: recordingLog(logged),
      });
      const [alice, bob] = [await user(), await user()];
      await provider.script('hold');
      const sends = [alice.trySend(), bob.trySend()];
      await provider.held(2);
      // Both belong to the lease under its first number, though only one is still running.
      const former = lease.id;
      await db.transaction((tx) => tx.query('UPDATE messages SET node_id = $1', [former]));
      const running = inFlight.start(alice.userId, 1);
      await db.transaction((tx) => tx.query('DELETE FROM nodes WHERE id = $1', [former]));
      await lease.beat();
      expect(lease.id).not.toBe(former);
      const voided: unknown[] = [];
      for (let rounds = 0; rounds < 3; rounds++) {
        logged.length = 0;
        clock.forward(30_000);
        await lease.beat();
        voided.push(...logged.filter(({ node }) => node === former).map((line) => line['voided']));
        // Its silence is measured again from the beginning.
        await lease.beat();
      }
      expect(voided).toEqual([1]);
      expect((await alice.funds()).held).toBeGreaterThan(0);
      expect((await bob.funds()).held).toBe(0);
      await provider.script('good');
      provider.release();
      expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([200, 503]);
      expect([await alice.charges(), await bob.charges()]).toEqual([[expect.any(Number)], []]);
      inFlight.end(running);
      await expectBooksHold(gateway);
    });

    test('a stop waits for running sends, and voids them when its time is up', async () => {
      for (const drainMs of [60_000, 0]) {
        await using world = await openWorld(dialect);
        const { gateway, provider, user } = world;
        const alice = await user();
        await provider.script('hold');
        const running = alice.trySend();
        const streaming = alice.stream();
        await provider.held(2);
        const stopped = gateway.app.stop(drainMs);
        expect((await gateway.fetch('/readyz')).status).toBe(503);
        expect((await gateway.fetch('/healthz')).status).toBe(200);
        const late = await alice.trySend();
        expect([late.status, late.body.error?.code]).toEqual([503, 'overloaded']);
        expect((await alice.stream()).status).toBe(503);
        if (drainMs > 0) provider.release();
        const logged = streaming.then((response) => response.text());
        await stopped;
        // The process may end now, as nothing is left to do.
        expect((await alice.funds()).held).toBe(0);
        const events = await logged;
        const { status, headers } = await running;
        expect(status).toBe(drainMs > 0 ? 200 : 503);
        expect(events).toContain(drainMs > 0 ? 'event: done' : 'event: error');
        if (drainMs === 0) expect(events).toContain('"code":"overloaded"');
        const errors = await gateway.core.db.query('SELECT DISTINCT error_code FROM messages');
        expect(errors).toEqual([{ error_code: drainMs > 0 ? null : 'overloaded' }]);
        expect(headers.get('x-should-retry')).toBe(drainMs > 0 ? null : 'false');
        expect(await alice.charges()).toHaveLength(drainMs > 0 ? 2 : 0);
        await expectBooksHold(gateway);
        provider.cut();
      }
    });
  });
}

describe.if(dialects.includes('sqlite'))('sqlite: one process a data directory', () => {
  test('a second process is refused, and the error says what to do', async () => {
    await using gateway = await openGateway('sqlite');
    const error = await failure(createApp(gateway.core));
    expect(String(error)).toContain('another zastava serves the data directory');
    const env = { ZASTAVA_DATA_DIR: gateway.dataDir, ZASTAVA_SECRET: 's'.repeat(32) };
    const refused = await failure(startServer(env));
    expect(String(refused)).toContain('another zastava serves the data directory');
    expect(String(refused)).toContain('ZASTAVA_DATA_DIR');
  });
});

describe.if(dialects.includes('postgres'))('postgres: many processes a data directory', () => {
  test('each process gets its own slot', async () => {
    await using first = await openGateway('postgres');
    const { database, dataDir } = first;
    await using second = await openGateway('postgres', { database, dataDir });
    const slots = await second.core.db.query<{ slot: string }>(
      'SELECT slot FROM nodes ORDER BY slot',
    );
    const names = slots.map(({ slot }) => slot.replace(/^[0-9a-f]{32}/, '').replace(/@.*/, ''));
    expect(names).toEqual(['/0', '/1']);
  });

  test("a copied data directory: its node does not take the original's node for dead", async () => {
    await using world = await openWorld('postgres');
    const { gateway, provider, user } = world;
    const { database, dataDir } = gateway;
    await using stack = new AsyncDisposableStack();
    const copy = await temporaryDirectory(stack);
    // Node can't copy the socket of trust jobs.
    const filter = async (path: string) => !(await stat(path)).isSocket();
    await cp(dataDir, copy, { recursive: true, filter });
    const alice = await user();
    await provider.script('hold');
    const sending = alice.trySend();
    await provider.held(1);
    await using second = await openGateway('postgres', { database, dataDir: copy });
    expect(await nodeIds(second)).toHaveLength(2);
    expect((await alice.funds()).held).toBeGreaterThan(0);
    provider.release();
    expect((await sending).status).toBe(200);
    expect(await alice.charges()).toHaveLength(1);
    await expectBooksHold(gateway);
  });
});
