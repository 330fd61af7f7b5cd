/** The stop of a server: running requests finish, and what can't finish is not charged. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { signalEffects } from '../../src/config/process.ts';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
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

interface Stage {
  server: RunningServer;
  token: string;
  /** A send to the scripted provider. */
  send: () => ReturnType<typeof post>;
  stream: () => Promise<Response>;
}

async function openStage(
  installation: Installation,
  provider: ScriptedProvider,
  env: Record<string, string> = {},
): Promise<Stage> {
  const path = join(installation.dir, 'catalogue.yaml');
  await writeFile(path, scriptedCatalogue(provider.baseUrl));
  const server = await installation.serve({ ZASTAVA_CATALOGUE: path, ...env });
  const { url } = server;
  const token = await logIn(url, 'admin', printedPassword(server.out()));
  const { body } = await post(url, '/ai/room/', {}, token);
  const message = { room_id: body.data['room_id'], ai: 101, message: 'Hello' };
  return {
    server,
    token,
    send: () => post(url, '/ai/send/', message, token),
    stream: () =>
      fetch(`${url}/ai/send/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...message, stream: true }),
      }),
  };
}

/** Repeats a request until the answer is as wanted, as a signal takes effect at some later point. */
async function until(wanted: (response: Response) => boolean, url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url);
    if (wanted(response)) return response;
    await response.bytes();
  }
}

/** The answer to the second request on a kept-alive connection, and whether the connection is closed afterwards. */
class Kept {
  #text = '';
  #seen = Promise.withResolvers<void>();
  readonly closed: Promise<void>;
  readonly #socket;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (data) => {
      this.#text += data.toString();
      this.#seen.resolve();
    });
    this.closed = new Promise((resolve) => this.#socket.on('close', () => resolve()));
  }

  async get(path: string): Promise<string> {
    this.#text = '';
    this.#seen = Promise.withResolvers<void>();
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: zastava\r\n\r\n`);
    await this.#seen.promise;
    return this.#text;
  }
}

for (const dialect of dialects) {
  describe(`${dialect}: SIGTERM`, () => {
    test('lets a running send finish, refuses new requests, and shows it on /readyz', async () => {
      await using provider = await ScriptedProvider.start();
      await using installation = await openInstallation(dialect);
      await provider.script('hold');
      const { server, send } = await openStage(installation, provider);
      const kept = new Kept(server.url);
      expect(await kept.get('/readyz')).toStartWith('HTTP/1.1 200');
      const running = send();
      await provider.held(1);
      server.signal('SIGTERM');
      await until(({ status }) => status === 503, `${server.url}/readyz`);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      const refused = await send();
      expect(refused.status).toBe(503);
      expect(refused.body.error.code).toBe('overloaded');
      expect(refused.headers.get('retry-after')).toBe('1');
      const again = await kept.get('/openapi.json');
      expect(again).toStartWith('HTTP/1.1 503');
      expect(again.toLowerCase()).toContain('\r\nconnection: close\r\n');
      await kept.closed;
      provider.release();
      const { status, body } = await running;
      expect(status).toBe(200);
      expect(body.data['response']).toBe('echo: Hello');
      expect((await server.exited).code).toBe(0);
      expect(provider.calls).toHaveLength(1);
      const admin = await installation.json<{ balance: number }>(['user', 'show', 'admin']);
      expect(admin.balance).toBe(Number(body.data['balance']));
      expect(admin.balance).toBeLessThan(1000);
    });

    test('gives up on a silent provider in time, with 503, a voided hold and exit code 0', async () => {
      await using provider = await ScriptedProvider.start();
      await using installation = await openInstallation(dialect);
      await provider.script('hold');
      const stage = await openStage(installation, provider, { ZASTAVA_DRAIN_SECONDS: '1' });
      const running = stage.send();
      await provider.held(1);
      stage.server.signal('SIGTERM');
      const { status, body, headers } = await running;
      expect(status).toBe(503);
      expect(body.error.code).toBe('overloaded');
      expect(headers.get('x-should-retry')).toBe('false');
      expect((await stage.server.exited).code).toBe(0);
      expect(await installation.json<object>(['user', 'show', 'admin'])).toMatchObject({
        balance: 1000,
        held: 0,
      });
      expect(await installation.json<object>(['ledger', 'verify'])).toMatchObject({ holds: true });
    });
  });
}

describe('SIGHUP', () => {
  test('stops a server of one process as SIGTERM does, however often it comes', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation();
    await provider.script('hold');
    const { server, send } = await openStage(installation, provider);
    const running = send();
    await provider.held(1);
    server.signal('SIGHUP');
    await until(({ status }) => status === 503, `${server.url}/readyz`);
    server.signal('SIGHUP');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    provider.release();
    expect((await running).status).toBe(200);
    expect((await server.exited).code).toBe(0);
  });

  test('has no effect on a server that was started with nohup', async () => {
    await using installation = await openInstallation('sqlite', ['nohup', ...launcher]);
    const server = await installation.serve();
    server.signal('SIGHUP');
    for (let request = 0; request < 20; request++) {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    }
    server.signal('SIGTERM');
    expect((await server.exited).code).toBe(0);
  });
});

describe('a stream', () => {
  test('that runs at SIGTERM is sent to its end', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation();
    await provider.script({ pauseAfterFirst: true, deltas: ['Good ', 'bye'] });
    const { server, stream } = await openStage(installation, provider);
    const response = await stream();
    await provider.held(1);
    server.signal('SIGTERM');
    await until(({ status }) => status === 503, `${server.url}/readyz`);
    provider.release();
    const text = await response.text();
    expect(text).toContain('event: done');
    expect(text).toContain('Good bye');
    expect((await server.exited).code).toBe(0);
  });
});

describe('a server whose standard output nobody reads', () => {
  test.each([
    ['pipe', "can't be written: EPIPE"],
    ['ignore', 'is closed, or the null device'],
  ] as const)(
    '(%s) serves on, says so with what is lost, and obeys the first signal',
    async (stdout, why) => {
      await using installation = await openInstallation();
      const { env, dir } = installation;
      const child = Bun.spawn([...launcher, 'serve'], { env, cwd: dir, stdout, stderr: 'pipe' });
      await child.stdout?.cancel();
      let printed = '';
      for await (const chunk of child.stderr) {
        printed += new TextDecoder().decode(chunk);
        if (printed.includes('\n')) break;
      }
      expect(printed).toMatch(/^zastava: listening on \S+, but standard output /);
      expect(printed).toContain(why);
      expect(printed).toContain('the password of admin is lost');
      const url = /listening on (\S+),/.exec(printed)?.[1] ?? '';
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await child.exited).toBe(0);
    },
  );
});

describe('a page that is being fetched', () => {
  test.each(dialects)(
    'does not prevent a server from stopping, and is not logged as an error: %s',
    async (dialect) => {
      using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
      await using installation = await openInstallation(dialect);
      const sites = Array.from({ length: 40 }, (_, at) => `s${at}.ru`);
      const server = await installation.serve({
        ZASTAVA_FETCH_ALLOW: '127.0.0.1',
        ZASTAVA_FETCH_RESOLVE: sites
          .flatMap((site) => [80, 443].map((port) => `${site}:${port}=127.0.0.1:${silent.port}`))
          .join(','),
      });
      const token = await logIn(server.url, 'admin', printedPassword(server.out()));
      const { status } = await post(server.url, '/trust/bulk/', { urls: sites }, token);
      expect(status).toBe(200);
      server.signal('SIGTERM');
      const { code, err } = await server.exited;
      expect([code, err]).toEqual([0, '']);
    },
  );
});

describe('a silent store of images', () => {
  test.each(dialects)('does not prevent a server from stopping: %s', async (dialect) => {
    const requested = Promise.withResolvers<void>();
    const socket = { data: () => requested.resolve() };
    using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
    await using installation = await openInstallation(dialect);
    const server = await installation.serve({
      ZASTAVA_IMAGES_S3_BUCKET: 'pictures',
      ZASTAVA_IMAGES_S3_ENDPOINT: `http://127.0.0.1:${silent.port}`,
      ZASTAVA_IMAGES_S3_ACCESS_KEY_ID: 'access-key',
      ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY: 'secret-key',
      ZASTAVA_DRAIN_SECONDS: '1',
    });
    const token = await logIn(server.url, 'admin', printedPassword(server.out()));
    const room = await post(server.url, '/ai/room/', {}, token);
    const body = { room_id: room.body.data['room_id'], ai: 2, message: 'a gate' };
    const sending = post(server.url, '/ai/send/', body, token);
    await requested.promise;
    server.signal('SIGTERM');
    expect((await sending).status).toBe(503);
    expect((await server.exited).code).toBe(0);
  });
});

describe('a second signal', () => {
  test('of the same kind is a repeat for 2 s; a later or another one ends the process', () => {
    const clock = movableClock();
    const effectOf = signalEffects(clock);
    expect(effectOf('SIGINT')).toBe('stop');
    expect(effectOf('SIGINT')).toBe('repeat');
    expect(effectOf('SIGTERM')).toBe('end');
    clock.forward(2_000);
    expect(effectOf('SIGINT')).toBe('end');
  });

  test('of another kind ends the process at once with 1, and the next start voids what was open', async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation();
    await provider.script('hold');
    const { server, send } = await openStage(installation, provider);
    const running = send().catch(() => 'cut');
    await provider.held(1);
    server.signal('SIGTERM');
    await until(({ status }) => status === 503, `${server.url}/readyz`);
    server.signal('SIGINT');
    expect((await server.exited).code).toBe(1);
    expect(await running).toBe('cut');
    const before = await installation.json<{ held: number }>(['user', 'show', 'admin']);
    expect(before.held).toBeGreaterThan(0);
    await installation.serve();
    const after = await installation.json<object>(['user', 'show', 'admin']);
    expect(after).toMatchObject({ balance: 1000, held: 0 });
  });
});
