/**
 * How fast a server answers while a graph is imported and ranked on the same machine, and how much memory those take: a
 * table. Usage: beside.ts [--domains N] [--import-mib N] [--rank-mib N]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config/index.ts';
import { openCore, type Core } from '../../src/core.ts';
import { prepareInsert, tables } from '../../src/db/index.ts';
import { silentLog } from '../../src/lib/log.ts';
import { grouped, quantileOf } from '../support/numbers.ts';
import { residentBytes } from '../support/processes.ts';
import { storedPage } from './stored-page.ts';
import { generateGraph } from './web-graph.ts';

const EDGES_A_DOMAIN = 10;
const ASKED_DOMAINS = 1_000;
/** Requests a second: what one busy client sends, not what the server could answer. */
const RATE = 200;
const ALONE_MS = 10_000;
const MIB = 2 ** 20;
const PASSWORD = 'a password of the benchmark';
const launcher = join(import.meta.dir, '../../bin/zastava');

const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '1000000' },
    'import-mib': { type: 'string', default: '256' },
    'rank-mib': { type: 'string' },
  },
});

/** Sends the request of this number: nineteen trust lines, then a send. */
type Ask = (index: number) => Promise<Response>;

async function answered(request: Promise<Response>, times: number[]): Promise<void> {
  const before = performance.now();
  const response = await request;
  await response.text();
  if (!response.ok) throw new Error(`a request was answered with ${response.status}`);
  times.push(performance.now() - before);
}

/**
 * Sends requests at a steady rate for the given time, however slow the answers are. @returns the milliseconds of each
 */
async function pace(ask: Ask, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; goesOn(); index++) {
    const wait = start + (index * 1000) / RATE - performance.now();
    if (wait > 1) await Bun.sleep(wait);
    answers.push(answered(ask(index), times));
  }
  await Promise.all(answers);
  return times;
}

function printRow(name: string, times: readonly number[], rest: readonly string[]): void {
  const ms = [quantileOf(times, 0.5), quantileOf(times, 0.99), Math.max(...times)];
  const cells = [name, grouped(times.length), ...ms.map((each) => each.toFixed(1)), ...rest];
  console.log(`| ${cells.join(' | ')} |`);
}

function zastava(words: readonly string[], env: Record<string, string>) {
  return Bun.spawn(['sh', launcher, ...words], {
    env: { ...process.env, ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  });
}

/** Runs a command and sends requests meanwhile. */
async function beside(name: string, words: string[], env: Record<string, string>, ask: Ask) {
  const start = performance.now();
  const child = zastava(words, env);
  let isRunning = true;
  void child.exited.then(() => (isRunning = false));
  const times = await pace(ask, () => isRunning);
  if ((await child.exited) !== 0) throw new Error(`${name} failed`);
  const seconds = (performance.now() - start) / 1000;
  const peak = (child.resourceUsage()?.maxRSS ?? 0) / MIB;
  printRow(name, times, [seconds.toFixed(1), peak.toFixed(0)]);
}

/** Domains of the release, with a page of each as if it had been read just now, so that nothing is fetched. */
async function keepPages({ db, clock, trust: { store } }: Core): Promise<string[]> {
  const release = store.current();
  if (!release) throw new Error('there is no current release');
  const step = Math.floor(release.nodes / ASKED_DOMAINS);
  const domains = Array.from({ length: ASKED_DOMAINS }, (_, index) => release.nameOf(index * step));
  const now = clock.now();
  const rows = domains.map((domain) => ({
    domain,
    fetched_at: now,
    result: JSON.stringify(storedPage(domain, now)),
  }));
  await db.transaction((tx) => prepareInsert(tables.trust_pages)(tx, rows));
  return domains;
}

async function post(url: string, body: unknown, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: Record<string, string> }).data;
}

async function asker(url: string, domains: readonly string[]): Promise<Ask> {
  const form = await fetch(`${url}/login.php`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'admin', pass: PASSWORD, auto: '' }),
    redirect: 'manual',
  });
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { token } = await post(`${url}/auth/login/`, { login: 'admin', password: PASSWORD }, {});
  const authorization = `Bearer ${token}`;
  const { room_id: room } = await post(`${url}/ai/room/`, {}, { authorization });
  const body = JSON.stringify({ room_id: room, ai: 1, message: 'Hello' });
  const headers = { authorization, 'content-type': 'application/json' };
  return (index) =>
    index % 20 === 19
      ? fetch(`${url}/ai/send/`, { method: 'POST', headers, body })
      : fetch(`${url}/trast.php?url=${domains[index % domains.length]}&tp=3&h=1`, {
          headers: { cookie },
        });
}

async function firstLine(output: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true });
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('the server did not start');
}

const directory = await mkdtemp(join(tmpdir(), 'zastava-beside-'));
try {
  const domains = Number(values.domains);
  const files = await generateGraph({
    domains,
    edges: domains * EDGES_A_DOMAIN,
    seed: 1,
    directory,
  });
  const env = {
    ZASTAVA_DATA_DIR: join(directory, 'data'),
    ZASTAVA_PORT: '0',
    ZASTAVA_HOST: '127.0.0.1',
    ZASTAVA_LOG_LEVEL: 'error',
    ZASTAVA_ADMIN_PASSWORD: PASSWORD,
    ZASTAVA_TRUST_DAILY_ALLOWANCE: '1000000000',
    ZASTAVA_OLLAMA: 'off',
  };
  const importing = ['trust', 'import', '--vertices', files.vertices, '--edges', files.edges];
  await zastava([...importing, '--release', 'old'], env).exited;
  await zastava(['trust', 'rank', '--release', 'old'], env).exited;
  const config = readConfig(env);
  const core = await openCore(config, {
    asServer: false,
    overrides: { log: silentLog },
  });
  const asked = await keepPages(core);
  await core.close();
  const server = Bun.spawn(['sh', launcher, 'serve'], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  try {
    const ask = await asker(await firstLine(server.stdout, /listening on (\S+)\n/), asked);
    console.log(`${grouped(domains)} domains, ${grouped(files.edgeCount)} links\n`);
    console.log('| meanwhile | answers | p50 ms | p99 ms | longest | s | its peak, MiB |');
    console.log('|---|---:|---:|---:|---:|---:|---:|');
    let until = performance.now() + ALONE_MS;
    // The first time is a warm-up.
    await pace(ask, () => performance.now() < until);
    until = performance.now() + ALONE_MS;
    printRow('nothing', await pace(ask, () => performance.now() < until), ['', '']);
    const limit = ['--memory-mib', values['import-mib']];
    await beside('import', [...importing, '--release', 'new', ...limit], env, ask);
    const rankLimit = values['rank-mib'] === undefined ? [] : ['--memory-mib', values['rank-mib']];
    await beside('rank', ['trust', 'rank', '--release', 'new', ...rankLimit], env, ask);
    console.log(`\nThe server itself: ${((residentBytes(server.pid) ?? 0) / MIB).toFixed(0)} MiB.`);
  } finally {
    server.kill();
    await server.exited;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
