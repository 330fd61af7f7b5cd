/** An outage of the database is one log line when it begins and one when it ends. */
import { Database as BunDatabase } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { DatabaseHealth } from '../../src/chat/index.ts';
import {
  migrate,
  openDatabase,
  type DatabaseConfig,
  type OpenedDatabase,
} from '../../src/db/index.ts';
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { GATEWAY_SECRET, openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';
import { legacyCookie } from '../support/legacy-cookie.ts';
import { startPostgres } from '../support/postgres.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

/** A log whose lines a test can wait for. */
function awaitableLog() {
  const logged: LogLine[] = [];
  const waiting: { text: string; resolve: (line: LogLine) => void }[] = [];
  const lines = Object.assign([] as LogLine[], {
    push(line: LogLine): number {
      for (const { text, resolve } of waiting) {
        if (String(line['msg']).startsWith(text)) resolve(line);
      }
      return logged.push(line);
    },
  });
  const line = (text: string) =>
    new Promise<LogLine>((resolve) => void waiting.push({ text, resolve }));
  return { logged, log: recordingLog(lines), line };
}

/** Resolves when a refresh of the catalogue has failed twice. */
function refreshFailsTwice({ core: { catalogue } }: Gateway): Promise<void> {
  const refresh = catalogue.refresh.bind(catalogue);
  let failures = 0;
  return new Promise((resolve) => {
    catalogue.refresh = () =>
      refresh().catch((error: unknown) => {
        if (++failures === 2) resolve();
        throw error;
      });
  });
}

/** A user's send, as often as it is called. */
async function sendingOn(gateway: Gateway) {
  const { token, login } = await gateway.addUser({ credit: 10 });
  const body = { room_id: await gateway.room(token), ai: 1, message: 'Hi' };
  return { token, login, send: () => gateway.post('/ai/send/', body, { token }) };
}

/** A busy machine may answer too late at first. */
async function untilReady(gateway: Gateway): Promise<void> {
  while ((await gateway.fetch('/readyz')).status !== 200);
}

const notRequests = (logged: LogLine[]) => logged.filter(({ msg }) => msg !== 'request');

describe.if(dialects.includes('postgres'))('postgres: a server that is stopped', () => {
  test('is two lines in the log, while requests and periodic tasks fail without a stack', async () => {
    await using stack = new AsyncDisposableStack();
    const server = await startPostgres();
    stack.defer(() => server.stop());
    const config: DatabaseConfig = { kind: 'postgres', url: server.urlOf('postgres') };
    const db = openDatabase(config);
    stack.defer(() => db.close());
    await migrate(db);
    const { logged, log, line } = awaitableLog();
    const database = { db, config, [Symbol.asyncDispose]: () => Promise.resolve() };
    await using gateway = await openGateway('postgres', { database, log });
    const { token, login, send } = await sendingOn(gateway);
    expect((await send()).status).toBe(200);
    const failing = refreshFailsTwice(gateway);
    logged.length = 0;
    const begun = line('database outage: ');
    await server.crash?.();
    await send();
    await begun;
    const refused = await gateway.fetch('/readyz');
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ reason: 'unreachable' });
    const metrics = await (await gateway.fetch('/metrics')).text();
    expect(metrics).toContain('\nzastava_database_up 0\n');
    const away = [
      await send(),
      await gateway.post('/auth/login/', { login, password: PASSWORD }),
      await gateway.post('/account/', {}, { token }),
    ];
    for (const { status, body } of away) {
      expect([status, body.error?.code]).toEqual([503, 'overloaded']);
    }
    const old = await gateway.fetch('/trast.php?url=a.ru&tp=3&h=0', {
      headers: legacyCookie(token, GATEWAY_SECRET),
    });
    expect([old.status, (await old.text()).slice(0, 11)]).toEqual([503, 'error|busy|']);
    await failing;
    const over = line('database outage over');
    await server.startAgain?.();
    expect(await over).toMatchObject({ reason: 'unreachable', seconds: expect.any(Number) });
    expect(notRequests(logged)).toHaveLength(2);
    await untilReady(gateway);
    expect(logged.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(logged)).not.toContain('stack');
  });
});

describe.if(dialects.includes('sqlite'))('sqlite: an outage', () => {
  test('of a file that another process has locked is two lines in the log, and /readyz says why', async () => {
    const { logged, log, line } = awaitableLog();
    await using gateway = await openGateway('sqlite', { log });
    const { send } = await sendingOn(gateway);
    logged.length = 0;
    const { config } = gateway.database;
    const other = new BunDatabase(config.kind === 'sqlite' ? config.path : '');
    other.exec('BEGIN IMMEDIATE');
    const begun = line('database outage: ');
    const waiting = send();
    expect(await begun).toMatchObject({ reason: 'locked' });
    const refused = await gateway.fetch('/readyz');
    expect([refused.status, await refused.json()]).toMatchObject([503, { reason: 'locked' }]);
    const over = line('database outage over');
    other.exec('ROLLBACK');
    other.close();
    await over;
    expect(notRequests(logged)).toHaveLength(2);
    await untilReady(gateway);
    await waiting;
  });
});

test('failures that are over when they are looked into are one line a minute, and no outage', async () => {
  const { logged, log, line } = awaitableLog();
  let fails = (error: DatabaseUnavailableError): void => void error;
  const probed: (() => void)[] = [];
  const db = {
    watch: (listener: typeof fails) => (fails = listener),
    probe: () => new Promise<void>((resolve) => void probed.push(resolve)),
  } as unknown as OpenedDatabase;
  const clock = stillClock();
  const health = new DatabaseHealth({ db, clock, log, silentMs: 600_000 });
  const failed = () => fails(new DatabaseUnavailableError('cancelled', { reason: 'refused' }));
  const seen = line('the database failed, but works');
  failed();
  failed();
  probed.shift()?.();
  expect(await seen).toMatchObject({ level: 40, reason: 'refused', failures: 2 });
  failed();
  probed.splice(0).forEach((resolve) => resolve());
  await new Promise((resume) => setImmediate(resume));
  expect(logged).toHaveLength(1);
  clock.forward(60_000);
  const next = line('the database failed, but works');
  failed();
  probed.splice(0).forEach((resolve) => resolve());
  expect(await next).toMatchObject({ failures: 2 });
  expect(health.isOut).toBe(false);
  health.stop();
});
