/** Several processes on one port: start, balance, death of one, death of the parent, drain. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { childrenOf } from '../torture/support/process-facts.ts';
import { becomesTrue } from '../torture/support/until.ts';
import {
  launcher,
  logIn,
  openInstallation,
  post,
  printedPassword,
  scriptedCatalogue,
  type Installation,
  type RunningServer,
} from './installation.ts';

const WORKERS = 3;
/** A busy machine may take this long. */
const PATIENCE_MS = 240_000;

interface Stage {
  server: RunningServer;
  /** A send to the scripted provider. */
  send: () => ReturnType<typeof post>;
}

async function openStage(
  installation: Installation,
  provider: ScriptedProvider,
  env: Record<string, string> = {},
): Promise<Stage> {
  const path = join(installation.dir, 'catalogue.yaml');
  await writeFile(path, scriptedCatalogue(provider.baseUrl));
  const workers = { ZASTAVA_WORKERS: String(WORKERS), ZASTAVA_CATALOGUE: path };
  const server = await installation.serve({ ...workers, ...env });
  const { url } = server;
  const token = await logIn(url, 'admin', printedPassword(server.out()));
  const { body } = await post(url, '/ai/room/', {}, token);
  const message = { room_id: body.data['room_id'], ai: 101, message: 'Hello' };
  return { server, send: () => post(url, '/ai/send/', message, token) };
}

/** The pids of the workers of a server, by their numbers. */
function workersOf(server: RunningServer): number[] {
  const pids: number[] = [];
  for (const pid of childrenOf(server.pid)) {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    pids[Number(words[words.indexOf('--worker') + 1])] = pid;
  }
  return pids;
}

/** Opens the database of an installation, for actions that no command has. */
async function openBooks({ env }: Installation) {
  const url = env['ZASTAVA_DATABASE_URL'] ?? '';
  const db = openDatabase({ kind: 'postgres', url, connectionsMax: 2 });
  return {
    query: (text: string) => db.transaction((tx) => tx.query(text)),
    [Symbol.asyncDispose]: () => db.close(),
  };
}

/** Ends a process that a failed test would leave running; its workers notice and end. */
async function endOf(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGKILL');
  await child.exited;
}

async function metricsOf({ url }: RunningServer): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
}

/** One sample for each worker, by its number. */
function samples(metrics: string, name: string): number[] {
  const values: number[] = [];
  for (const [, worker, value] of metrics.matchAll(
    new RegExp(`^${name}\\{(?:[^}]*,)?worker="(\\d+)"\\} (\\S+)$`, 'gm'),
  )) {
    values[Number(worker)] = (values[Number(worker)] ?? 0) + Number(value);
  }
  return values;
}

describe.if(dialects.includes('postgres'))('ZASTAVA_WORKERS', () => {
  test('starts workers that share connections, one admin, one line, one /metrics; a dead one is replaced', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation('postgres');
    const { server, send } = await openStage(installation, provider);
    expect(server.out().match(/^password: /gm)).toHaveLength(1);
    expect(server.out().match(/^listening on /gm)).toHaveLength(1);
    const { port } = new URL(server.url);
    const second = await installation.run(['serve'], {
      env: { ZASTAVA_PORT: port, ZASTAVA_WORKERS: '2' },
    });
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('is taken')]);

    const close = { connection: 'close' };
    for (let request = 0; request < 60; request++)
      await fetch(`${server.url}/healthz`, { headers: close });
    const first = await metricsOf(server);
    expect(first).toContain(`zastava_workers ${WORKERS}\n`);
    expect(first.match(/^# TYPE zastava_http_requests_total /gm)).toHaveLength(1);
    const counted = samples(first, 'zastava_http_requests_total');
    expect(counted).toHaveLength(WORKERS);
    for (const count of counted) expect(count).toBeGreaterThan(0);

    await provider.script('hold');
    const broken = send().catch(() => 'cut');
    await provider.held(1);
    const holder = samples(await metricsOf(server), 'zastava_holds_open').indexOf(1);
    const before = workersOf(server);
    process.kill(before[holder] ?? 0, 'SIGKILL');
    expect(await broken).toBe('cut');
    const isBack = async () => {
      // The system may still hand a connection to the killed one.
      const metrics = await metricsOf(server).catch(() => '');
      return metrics.includes(`zastava_workers ${WORKERS}\n`);
    };
    expect(await becomesTrue(isBack, PATIENCE_MS)).toBeTrue();
    const after = workersOf(server);
    expect(after.map((pid, number) => pid === before[number])).toEqual(
      before.map((_, number) => number !== holder),
    );
    expect(await metricsOf(server)).toContain('zastava_worker_ends_total 1\n');
    expect(await installation.json<object>(['user', 'show', 'admin'])).toMatchObject({
      balance: 1000,
      held: 0,
    });
    await provider.script('good');
    expect((await send()).status).toBe(200);
    server.signal('SIGTERM');
    expect((await server.exited).code).toBe(0);
  });

  test('a stop lets a running send finish; without the parent, workers end and make room', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation('postgres');
    await provider.script('hold');
    const { server, send } = await openStage(installation, provider, { ZASTAVA_WORKERS: '2' });
    const running = send();
    await provider.held(1);
    server.signal('SIGINT');
    server.signal('SIGINT');
    const isRefused = async () => (await fetch(`${server.url}/readyz`)).status === 503;
    expect(await becomesTrue(isRefused, PATIENCE_MS)).toBeTrue();
    provider.release();
    expect((await running).status).toBe(200);
    expect((await server.exited).code).toBe(0);

    const port = new URL(server.url).port;
    const path = join(installation.dir, 'catalogue.yaml');
    const env = { ZASTAVA_WORKERS: '2', ZASTAVA_CATALOGUE: path, ZASTAVA_PORT: port };
    const next = await installation.serve(env);
    const token = await logIn(next.url, 'admin', printedPassword(server.out()));
    const { body } = await post(next.url, '/ai/room/', {}, token);
    const message = { room_id: body.data['room_id'], ai: 101, message: 'Hello' };
    const orphan = post(next.url, '/ai/send/', message, token);
    await provider.held(1);
    const pids = workersOf(next);
    next.signal('SIGKILL');
    const isFree = async () => (await fetch(next.url).catch(() => undefined)) === undefined;
    expect(await becomesTrue(isFree, PATIENCE_MS)).toBeTrue();
    const third = await installation.serve(env);
    provider.release();
    expect((await orphan).status).toBe(200);
    expect(
      await becomesTrue(() => !pids.some((pid) => existsSync(`/proc/${pid}/exe`)), PATIENCE_MS),
    ).toBeTrue();
    expect(await installation.json<object>(['ledger', 'verify'])).toMatchObject({ holds: true });
    third.signal('SIGTERM');
    expect((await third.exited).code).toBe(0);
  });

  test('SIGHUP replaces workers one after the other; if a new one cannot start, the others stay', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation('postgres');
    const { server, send } = await openStage(installation, provider, { ZASTAVA_WORKERS: '2' });
    const before = workersOf(server);
    const done = new AbortController();
    const statuses: number[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      while (!done.signal.aborted) {
        // A worker that closes the port may reset a connection before it has read a request from it.
        const sent = await send().catch(() => undefined);
        if (sent) statuses.push(sent.status);
      }
    });
    const areNew = () => {
      const now = childrenOf(server.pid);
      return now.length === 2 && !now.some((pid) => before.includes(pid));
    };
    server.signal('SIGHUP');
    expect(await becomesTrue(areNew, PATIENCE_MS)).toBeTrue();
    const metricsNow = () => metricsOf(server).catch(() => '');
    const isWhole = async () => (await metricsNow()).includes('zastava_workers 2\n');
    expect(await becomesTrue(isWhole, PATIENCE_MS)).toBeTrue();
    done.abort();
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Each request that a worker accepted is answered.
    expect(provider.calls).toHaveLength(statuses.length);
    expect(await metricsOf(server)).toContain('zastava_worker_ends_total 0\n');

    await using db = await openBooks(installation);
    // A migration as a later version would record it.
    await db.query(`INSERT INTO migrations (number, name) VALUES (9999, 'later')`);
    const [first, second] = workersOf(server);
    server.signal('SIGHUP');
    const hasTried = async () => /^zastava_worker_ends_total [1-9]/m.test(await metricsNow());
    expect(await becomesTrue(hasTried, PATIENCE_MS)).toBeTrue();
    expect((await send()).status).toBe(200);
    expect(workersOf(server)[1]).toBe(second);
    await db.query('DELETE FROM migrations WHERE number = 9999');
    expect(await becomesTrue(isWhole, PATIENCE_MS)).toBeTrue();
    expect(workersOf(server)[0]).not.toBe(first);
    server.signal('SIGTERM');
    const { code, err } = await server.exited;
    expect(code).toBe(0);
    expect(err).toContain('the others stay as they are');
  });

  test('end with the terminal that they were started in', async () => {
    await using installation = await openInstallation('postgres');
    let out = '';
    const child = Bun.spawn([...launcher, 'serve'], {
      env: { ...installation.env, ZASTAVA_WORKERS: '2' },
      cwd: installation.dir,
      terminal: { data: (_, bytes) => void (out += new TextDecoder().decode(bytes)) },
    });
    await using _ = { [Symbol.asyncDispose]: () => endOf(child) };
    const url = () => /listening on (\S+)\r/.exec(out)?.[1];
    expect(await becomesTrue(() => url() !== undefined, PATIENCE_MS)).toBeTrue();
    child.terminal?.close();
    await child.exited;
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    const isRefused = await fetch(`${url()}/healthz`).then(
      () => false,
      () => true,
    );
    expect(isRefused).toBeTrue();
  });

  test('a setting that a worker refuses ends the start with its exit code, and is reported once', async () => {
    await using installation = await openInstallation('postgres');
    const { code, out, err } = await installation.run(['serve'], {
      env: { ZASTAVA_WORKERS: '2', ZASTAVA_CATALOGUE: '/nowhere.yaml' },
    });
    expect([code, out]).toEqual([78, '']);
    expect(err.match(/ZASTAVA_CATALOGUE/g)).toHaveLength(1);
  });
});

test('with SQLite, workers are refused with the way to PostgreSQL', async () => {
  await using installation = await openInstallation();
  const { code, err } = await installation.run(['serve'], { env: { ZASTAVA_WORKERS: 'auto' } });
  expect(code).toBe(78);
  expect(err).toContain('zastava copy-to-postgres');
});
