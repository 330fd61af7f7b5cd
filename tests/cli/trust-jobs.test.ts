/** Commands that list and stop the jobs of a running server. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { TrustJobView } from '../../src/trust/index.ts';
import { dialects } from '../support/databases.ts';
import { logIn, openInstallation, post, printedPassword } from './installation.ts';

/** A server of a file without an end. */
function openEndless() {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch({ signal }) {
      signal.addEventListener('abort', () => left.resolve());
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue('0\tru.alpha\t1\n');
        started.resolve();
      };
      return new Response(new ReadableStream({ start }));
    },
  });
  return {
    address: `http://127.0.0.1:${server.port}/endless`,
    /** The file is being read; its reader has gone. */
    started: started.promise,
    left: left.promise,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: commands on the jobs of a server`, () => {
    // SQLite has one process.
    for (const workers of dialect === 'sqlite' ? ['1'] : ['1', '2']) {
      test(`list and stop them, and record it, with ${workers} worker(s)`, async () => {
        await using installation = await openInstallation(dialect);
        const { env, run, json } = installation;
        await using endless = openEndless();
        Object.assign(env, { ZASTAVA_FETCH_ALLOW: '127.0.0.1' });
        const server = await installation.serve({ ZASTAVA_WORKERS: workers });
        const token = await logIn(server.url, 'admin', printedPassword(server.out()));
        const jobs = () => json<TrustJobView[]>(['trust', 'jobs']);
        expect(await jobs()).toEqual([]);
        expect((await run(['trust', 'jobs'])).out).toBe('no jobs since the server started\n');
        const begin = async (path: string, body: object) =>
          ((await post(server.url, path, body, token)).body.data as { job: TrustJobView }).job.id;
        const graph = { vertices: endless.address, edges: endless.address, release: 'one' };
        const first = await begin('/admin/trust/import/', graph);
        const second = await begin('/admin/trust/rank/', {});
        await endless.started;
        const running = { work: 'import', state: 'running', release: 'one', asked_by: 'admin' };
        expect(await jobs()).toMatchObject([
          { id: second, work: 'rank', state: 'waiting', release: null, started_at: null },
          { ...running, id: first },
        ]);
        expect((await run(['trust', 'jobs'])).out).toMatch(
          new RegExp(
            `^ID .*\\n${second} +rank +- +waiting +admin +- .*\\n${first} +import +one +ru`,
          ),
        );
        const stopped = await json<TrustJobView>(['trust', 'stop', second]);
        expect(stopped).toMatchObject({ id: second, state: 'stopped', started_at: null });
        expect((await run(['trust', 'stop', first])).out).toBe(`import ${first}: stopped\n`);
        await endless.left;
        expect((await jobs()).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
        const unknown = await run(['trust', 'stop', 'none']);
        expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('has no job')]);
        const rows = (await run(['audit', '--action', 'trust_job_stopped', '--json'])).out;
        const entries = rows
          .trim()
          .split('\n')
          .map((row) => JSON.parse(row) as object);
        expect(entries).toMatchObject([
          { origin: 'command', subject: first, after: { work: 'import', state: 'stopped' } },
          { origin: 'command', subject: second, after: { work: 'rank', state: 'stopped' } },
        ]);
      }, 300_000);
    }
  });
}

test('without a server a refusal names the data directory, also after one was killed', async () => {
  await using installation = await openInstallation();
  const { dir, run } = installation;
  const server = await installation.serve();
  server.signal('SIGKILL');
  await server.exited;
  const refusal = `no server runs with the data directory ${join(dir, 'data')}`;
  for (const words of [['jobs'], ['stop', 'x']]) {
    const { code, err } = await run(['trust', ...words]);
    expect([code, err]).toEqual([1, expect.stringContaining(refusal)]);
  }
  // The next server replaces what the killed one left.
  const next = await installation.serve();
  expect((await run(['trust', 'jobs'])).code).toBe(0);
  next.signal('SIGTERM');
  await next.exited;
  expect((await run(['trust', 'jobs'])).code).toBe(1);
}, 300_000);
