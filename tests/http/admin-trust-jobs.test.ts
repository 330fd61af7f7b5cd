/** Imports, rankings, crawls and releases over HTTP, which a server runs as commands. */
import { getPriority } from 'node:os';
import { describe, expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { logIn, openInstallation, post, printedPassword } from '../cli/installation.ts';
import { dialects } from '../support/databases.ts';
import { donorsOf, writeGraph, type Links } from '../trust/check/links.ts';
import { openWeb } from '../trust/crawl/web.ts';

const links: Links = [
  ...donorsOf('alpha.ru', 25),
  ['alpha.ru', 'beta.ru'],
  ['msu.edu', 'alpha.ru'],
];

/** A loopback address that stands for the public internet here. */
const PUBLIC = process.platform === 'darwin' ? '::1' : '127.0.0.9';

interface Job {
  id: string;
  work: string;
  state: string;
  progress: { step: string } | null;
  warnings: string[];
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

/** A server for the files of a graph; `/endless` never ends. */
function openFiles(directory: string) {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/missing') return new Response('', { status: 404 });
      if (pathname !== '/endless') return new Response(Bun.file(`${directory}${pathname}`));
      request.signal.addEventListener('abort', () => left.resolve());
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue('0\tru.alpha\t1\n');
            started.resolve();
          },
        }),
      );
    },
  });
  return {
    address: (path: string) => `http://127.0.0.1:${server.port}/${path}`,
    /** The endless file is being read; its reader has gone. */
    started: started.promise,
    left: left.promise,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A server with the calls of its first admin. */
async function openAdmin(
  installation: Awaited<ReturnType<typeof openInstallation>>,
  env: Record<string, string> = { ZASTAVA_FETCH_ALLOW: '127.0.0.1' },
) {
  const server = await installation.serve(env);
  const token = await logIn(server.url, 'admin', printedPassword(server.out()));
  const call = async <T>(path: string, body: object = {}) => {
    const answer = await post(server.url, path, body, token);
    return (answer.status === 200 ? answer.body.data : answer.body.error) as T;
  };
  const begin = async (path: string, body: object = {}) =>
    (await call<{ job: Job }>(path, body)).job;
  const list = async () => (await call<{ jobs: Job[] }>('/admin/trust/jobs/')).jobs;
  const ended = async ({ id }: Job): Promise<Job> => {
    for (;;) {
      const job = (await list()).find((one) => one.id === id);
      if (job && !['waiting', 'running'].includes(job.state)) return job;
      await Bun.sleep(50);
    }
  };
  return { server, token, call, begin, list, ended };
}

for (const dialect of dialects) {
  describe(`${dialect}: jobs on the link graph`, () => {
    test('import, rank, crawl, use and remove do what the commands do, in order of request', async () => {
      await using web = openWeb({ 'alpha.ru/': '<p><a href="http://beta.ru/">b</a></p>' });
      await using installation = await openInstallation(dialect);
      Object.assign(installation.env, {
        ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
        ZASTAVA_FETCH_RESOLVE: web.resolve,
      });
      await writeGraph(installation.dir, links);
      await using files = openFiles(installation.dir);
      const { call, begin, list, ended } = await openAdmin(installation, {});
      const graph = {
        vertices: files.address('vertices.txt'),
        edges: files.address('edges.txt'),
      };
      const first = await begin('/admin/trust/import/', { ...graph, release: 'one' });
      expect(first).toMatchObject({ work: 'import', release: 'one', asked_by: 'admin' });
      const second = await begin('/admin/trust/import/', { ...graph, release: 'two' });
      const ranking = await begin('/admin/trust/rank/', { release: 'one' });
      const rankingTwo = await begin('/admin/trust/rank/', { release: 'two', diff: true });
      const use = await begin('/admin/trust/releases/use/', { release: 'none' });
      expect(use).toBeUndefined();
      expect(await ended(rankingTwo)).toMatchObject({
        state: 'done',
        error: null,
        result: { diff: { before: { release: 'one' }, colours: [] } },
      });
      expect(await ended(first)).toMatchObject({
        state: 'done',
        result: { release: 'one', edges: links.length },
        progress: { step: expect.any(String) },
      });
      expect(await ended(ranking)).toMatchObject({
        state: 'done',
        result: { release: 'one', edges: links.length },
        progress: { step: 'writing the scores', done: null, total: null },
      });
      expect((await list()).map(({ id }) => id)).toEqual(
        [first, second, ranking, rankingTwo].map(({ id }) => id).toReversed(),
      );
      const releases = () => call<{ releases: object[] }>('/admin/trust/releases/');
      const one = { name: 'one', domains: 28, links: links.length, ranked: true };
      expect(await releases()).toMatchObject({
        releases: [one, { ...one, name: 'two', current: true }],
        fault: null,
      });
      await ended(await begin('/admin/trust/releases/use/', { release: 'one' }));
      expect(await call('/admin/trust/releases/use/', {})).toMatchObject({
        code: 'invalid_request',
      });
      const both = await ended(await begin('/admin/trust/releases/use/', { base: 'two' }));
      expect(both).toMatchObject({ release: null, result: { release: 'one', base: 'two' } });
      expect(await releases()).toMatchObject({
        releases: [
          { ...one, current: true, base: false },
          { ...one, name: 'two', current: false, base: true },
        ],
      });
      await ended(await begin('/admin/trust/releases/use/', { base: null }));
      const remove = (release: string) => call('/admin/trust/releases/remove/', { release });
      expect(await remove('one')).toMatchObject({ code: 'invalid_request' });
      expect(await remove('two')).toEqual({ removed: true });
      expect(await remove('two')).toMatchObject({ code: 'not_found' });
      expect(await releases()).toMatchObject({ releases: [{ ...one, current: true }] });

      const crawl = await call<{ job: Job; bad: object[] }>('/admin/trust/crawl/', {
        domains: ['http://alpha.ru/x', 'nothing'],
        pages: 1,
      });
      expect(crawl.bad).toMatchObject([{ line: 2, text: 'nothing' }]);
      expect(await ended(crawl.job)).toMatchObject({
        state: 'done',
        result: { pages: 1, read: 1 },
      });
      expect(web.visited()).toEqual(['alpha.ru/']);
    }, 300_000);
  });
}

test('a failed job says why, a stopped job ends, and waiting jobs start after them', async () => {
  await using installation = await openInstallation();
  await writeGraph(installation.dir, links);
  await using files = openFiles(installation.dir);
  const { call, begin, ended, server, token } = await openAdmin(installation);
  const edges = files.address('edges.txt');
  const missing = await begin('/admin/trust/import/', {
    vertices: files.address('missing'),
    edges,
  });
  expect(await ended(missing)).toMatchObject({
    state: 'failed',
    result: null,
    error: { code: 'not_found', message: expect.stringContaining('answered 404') },
  });
  const inRussian = await fetch(`${server.url}/admin/trust/jobs/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-language': 'ru',
    },
    body: '{}',
  });
  expect(await inRussian.text()).toContain('ответ 404, а нужен адрес файла, доступного без входа');
  const endless = await begin('/admin/trust/import/', {
    vertices: files.address('endless'),
    edges,
  });
  const waiting = await begin('/admin/trust/rank/');
  const last = await begin('/admin/trust/rank/');
  await files.started;
  const stop = ({ id }: Job) => call<{ job: Job }>('/admin/trust/jobs/stop/', { id });
  expect((await stop(waiting)).job).toMatchObject({ state: 'stopped', started_at: null });
  expect((await stop(endless)).job).toMatchObject({ state: 'stopped', result: null, error: null });
  await files.left;
  expect(await ended(last)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('no graph yet') },
  });
  expect((await stop(endless)).job.state).toBe('stopped');
  expect(await stop({ ...endless, id: 'none' })).toMatchObject({ code: 'not_found' });
  // Named after the file, without the query of its URL.
  const signed = await begin('/admin/trust/import/', {
    vertices: files.address('vertices.txt?signature=a/b'),
    edges,
  });
  expect(await ended(signed)).toMatchObject({ state: 'done', result: { release: 'import' } });
}, 300_000);

/** The process with an argument that contains this text; undefined if there is no such process. */
async function processWith(word: string): Promise<{ oomScore: string; nice: string } | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    if (!(await read('cmdline')).includes(word)) continue;
    // After the name, which may contain spaces, nice is the 17th field (proc(5)).
    const fields = (await read('stat')).replace(/^.*\) /s, '').split(' ');
    return { oomScore: (await read('oom_score_adj')).trim(), nice: fields[16] ?? '' };
  }
  return undefined;
}

/** Jobs run ten steps below the process that starts them; 19 is the lowest priority. */
const lowerPriority = String(Math.min(getPriority() + 10, 19));

test('a server that stops ends the process of its job, which runs at a lower priority', async () => {
  await using installation = await openInstallation();
  await using files = openFiles(installation.dir);
  const { begin, server } = await openAdmin(installation);
  const release = `of-${randomUUID()}`;
  const address = files.address(`endless?signature=${release}-secret`);
  await begin('/admin/trust/import/', { vertices: address, edges: address, release });
  await files.started;
  expect(await processWith(release)).toEqual({ oomScore: '500', nice: lowerPriority });
  // Every user of the machine can see the arguments.
  expect(await processWith('-secret')).toBeUndefined();
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
  await files.left;
  expect(await processWith(release)).toBeUndefined();
}, 300_000);

test('an import reaches no private address, even through a redirect, and reveals nothing about it', async () => {
  let reached = 0;
  using inside = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(`secret of the network ${++reached}\n`),
  });
  using outside = Bun.serve({
    hostname: PUBLIC,
    port: 0,
    fetch: ({ url }) =>
      Response.redirect(`http://127.0.0.1:${inside.port}${new URL(url).pathname}`),
  });
  const edges = `${outside.url.origin}/edges?signature=secret`;
  const messageFor = async (origin: string) => {
    await using installation = await openInstallation();
    const { begin, ended } = await openAdmin(installation, { ZASTAVA_FETCH_ALLOW: PUBLIC });
    const vertices = `${origin}/v?signature=secret`;
    const job = await ended(await begin('/admin/trust/import/', { vertices, edges }));
    expect(job.state).toBe('failed');
    return job.error?.message.replace(`${origin}/v`, 'FILE');
  };
  // A separate server for each: an address is retried for seconds, and a server runs one job at a time.
  const origins = [outside.url.origin, 'http://nothing.invalid'];
  expect(new Set(await Promise.all(origins.map(messageFor)))).toEqual(
    new Set([
      "FILE can't be read beyond byte 0 (no public server answers there; ZASTAVA_FETCH_ALLOW permits private ones): try again later",
    ]),
  );
  expect(reached).toBe(0);
}, 300_000);

test('an import over HTTP quotes no lines of a file; the command does', async () => {
  await using installation = await openInstallation();
  const { dir, run } = installation;
  await writeFile(`${dir}/wrong.txt`, 'root:x:0:0\n0\tru.alpha\n1\tru.beta\n');
  await writeFile(`${dir}/few.txt`, '0\t1\ndaemon:x:1:1\n');
  await writeFile(`${dir}/hosts.txt`, 'root:x:0:0\n');
  await using files = openFiles(dir);
  const { begin, ended } = await openAdmin(installation);
  const edges = files.address('few.txt');
  const skipped = await ended(
    await begin('/admin/trust/import/', { vertices: files.address('wrong.txt'), edges }),
  );
  expect(skipped).toMatchObject({
    state: 'done',
    result: {
      left_out: {
        vertex_lines: { count: 1, examples: [{ line: 1, message: 'not "id TAB name"' }] },
        edge_lines: { count: 1, examples: [{ line: 2, message: 'not "from TAB to"' }] },
      },
    },
  });
  const vertices = files.address('hosts.txt?signature=secret');
  const refused = await ended(await begin('/admin/trust/import/', { vertices, edges }));
  expect(refused.error?.message).toMatch(
    /hosts\.txt: 1 of 1 lines are malformed; the first, line 1: not "id TAB name"; a line must be /,
  );
  expect(JSON.stringify([skipped, refused])).not.toMatch(/root|daemon|secret/);
  const command = await run(['trust', 'import', '--vertices', vertices, '--edges', edges]);
  expect(command.err).toContain('root:x:0:0');
}, 300_000);

test('the process of a job ends when its server is killed', async () => {
  await using installation = await openInstallation();
  await using files = openFiles(installation.dir);
  const { begin, server } = await openAdmin(installation);
  const graph = { vertices: files.address('endless'), edges: files.address('endless') };
  await begin('/admin/trust/import/', { ...graph, release: 'one' });
  await files.started;
  server.signal('SIGKILL');
  await server.exited;
  await files.left;
}, 300_000);

test('local files are refused, and jobs beyond a full queue', async () => {
  await using installation = await openInstallation();
  await using files = openFiles(installation.dir);
  const { call, begin } = await openAdmin(installation);
  const edges = files.address('endless');
  for (const vertices of ['/etc/passwd', 'file:///etc/passwd', '-', 'http//x']) {
    expect(await call('/admin/trust/import/', { vertices, edges })).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'vertices' }],
    });
  }
  for (const release of ['../up', '-x', '']) {
    expect(await call('/admin/trust/rank/', { release })).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'release' }],
    });
  }
  expect(await call('/admin/trust/crawl/', { domains: ['nothing'] })).toMatchObject({
    code: 'invalid_request',
  });
  await begin('/admin/trust/import/', { vertices: files.address('endless'), edges });
  for (let jobs = 1; jobs < 16; jobs++) await begin('/admin/trust/rank/');
  expect(await call('/admin/trust/rank/')).toMatchObject({ code: 'rate_limited' });
}, 300_000);
