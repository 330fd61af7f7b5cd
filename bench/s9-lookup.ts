import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config/index.ts';
import { openCore, type Core } from '../src/core.ts';
import { silentLog } from '../src/lib/log.ts';
import { rankRelease } from '../src/trust/index.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { GATEWAY_CORE, pinned, start } from './support/processes.ts';
import type { RecordResult, RecordSpeed } from './trust/check-records.ts';
import type { LookUpResult } from './trust/look-up.ts';
import { generateGraph } from './trust/web-graph.ts';

const DOMAINS = 1_000_000;
const DOMAINS_FULL = 10_000_000;
const EDGES_A_DOMAIN = 10;
const RUNS = 5;
const RELEASE = 'bench';
const LOGIN = 'bench';
const PASSWORD = 'a password of the benchmark';
const CONNECTIONS = 32;
const LAUNCHER = join(import.meta.dir, '../bin/zastava');

/** A trust record from a release of the link graph: in process, and over the cookie interface. */
export const trustRecords: Measure = {
  name: 's9',
  run: async ({ full, progress }) => {
    const domains = full ? DOMAINS_FULL : DOMAINS;
    const directory = await mkdtemp(join(tmpdir(), 'zastava-s9-'));
    try {
      progress(`making and ranking a release of ${grouped(domains)} domains`);
      const data = join(directory, 'data');
      await makeRelease(directory, data, domains);
      const records: RecordResult[] = [];
      const lookUps: LookUpResult[] = [];
      for (let run = 0; run < RUNS; run++) {
        progress(`run ${run + 1} of ${RUNS}`);
        records.push(await runApart<RecordResult>('check-records.ts', [data]));
        lookUps.push(await runApart<LookUpResult>('look-up.ts', [join(data, 'trust'), RELEASE]));
      }
      progress('over HTTP');
      const served = await overHttp(data);
      const kinds: [string, keyof RecordResult][] = [
        ['legacy line, page and history in memory', 'line'],
        ['legacy line, page and history in the database', 'lineFromDatabase'],
        ['JSON with reasons and top donors', 'json'],
      ];
      return {
        name: 'S9',
        title: `trust records from a release of ${grouped(domains)} domains, one core`,
        columns: ['what', 'a second', 'range', 'CPU µs', 'p50 ms', 'p99 ms'],
        rows: [
          ...kinds.map(([what, kind]) =>
            recordRow(
              what,
              records.map((run) => run[kind]),
            ),
          ),
          lookUpRow(lookUps),
          servedRow(served),
        ],
        notes: [
          `Page cached: a fresh page of each domain is kept, nothing is fetched. ${RUNS} runs, each a process of its own on one core; medians. A record is made from an address, one after another; a tenth of the domains are not in the release.`,
          'In memory: 10 000 domains in turn. In the database: 100 000 in turn, more than the caches hold. CPU is the processor time a record, which suffers least from other work on the machine.',
          `Over HTTP: GET /trast.php, ${CONNECTIONS} connections with a domain each, the server alone on its core; each call takes one of the user's allowance, which is on disk before the answer.`,
          `Opening the release: ${medianOf(lookUps.map(({ openMs }) => openMs)).toFixed(1)} ms.`,
        ],
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

function recordRow(what: string, runs: readonly RecordSpeed[]): string[] {
  const of = (value: (run: RecordSpeed) => number) => runs.map(value);
  return [
    what,
    grouped(medianOf(of(({ perSecond }) => perSecond))),
    spreadOf(of(({ perSecond }) => perSecond)),
    medianOf(of(({ cpuUs }) => cpuUs)).toFixed(0),
    (medianOf(of(({ p50Us }) => p50Us)) / 1000).toFixed(3),
    (medianOf(of(({ p99Us }) => p99Us)) / 1000).toFixed(3),
  ];
}

function lookUpRow(runs: readonly LookUpResult[]): string[] {
  const perSecond = runs.map((run) => run.perSecond);
  return [
    'the graph alone: name, counts, scores, 100 donors',
    grouped(medianOf(perSecond)),
    spreadOf(perSecond),
    '',
    (medianOf(runs.map(({ p50Us }) => p50Us)) / 1000).toFixed(3),
    (medianOf(runs.map(({ p99Us }) => p99Us)) / 1000).toFixed(3),
  ];
}

function servedRow({ perSecond, cpuMicros, p50Ms, p99Ms }: Measured): string[] {
  const cpu = cpuMicros === undefined ? '' : cpuMicros.toFixed(0);
  return ['legacy line over HTTP', grouped(perSecond), '', cpu, p50Ms.toFixed(3), p99Ms.toFixed(3)];
}

async function withCore<T>(data: string, work: (core: Core) => Promise<T>): Promise<T> {
  const config = readConfig({ ZASTAVA_DATA_DIR: data });
  const core = await openCore(config, { asServer: false, overrides: { log: silentLog } });
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

async function makeRelease(directory: string, data: string, domains: number): Promise<void> {
  const edges = domains * EDGES_A_DOMAIN;
  const { vertices, edges: edgesFile } = await generateGraph({
    domains,
    edges,
    seed: 1,
    directory,
  });
  await withCore(data, async ({ clock, ledger, users, trust: { store, seeds } }) => {
    await store.importGraph({ name: RELEASE, vertices, edges: edgesFile });
    await rankRelease(store, seeds, clock, { name: RELEASE });
    await users.add({ login: LOGIN, password: PASSWORD }, (tx, id) =>
      ledger.openAccount(tx, id, 0, 'bench'),
    );
  });
}

async function runApart<T>(script: string, words: readonly string[]): Promise<T> {
  const path = join(import.meta.dir, 'trust', script);
  const child = Bun.spawn(pinned(GATEWAY_CORE, [process.execPath, path, ...words]), {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${script} failed`);
  return JSON.parse(output) as T;
}

async function overHttp(data: string): Promise<Measured> {
  const domains = await withCore(data, ({ db }) =>
    db.query<{ domain: string }>(`SELECT domain FROM trust_pages LIMIT ${CONNECTIONS}`),
  );
  const server = await start(['sh', LAUNCHER, 'serve'], {
    core: GATEWAY_CORE,
    env: {
      ZASTAVA_DATA_DIR: data,
      ZASTAVA_PORT: '0',
      ZASTAVA_HOST: '127.0.0.1',
      ZASTAVA_TRUST_DAILY_ALLOWANCE: '1000000000',
      ZASTAVA_OLLAMA: 'off',
    },
    readyLine: /^listening on /,
  });
  try {
    const url = server.readyLine.replace('listening on ', '');
    const cookie = await logIn(url);
    const requests = domains.map(({ domain }) =>
      [
        `GET /trast.php?url=${domain}&tp=3&h=1 HTTP/1.1`,
        `host: ${new URL(url).host}`,
        `cookie: ${cookie}`,
        '',
        '',
      ].join('\r\n'),
    );
    const target = { name: 'Zastava', url, requests, pid: server.pid };
    return await load(target, { connections: CONNECTIONS, warmUpMs: 1_000, measureMs: 5_000 });
  } finally {
    await server.stop();
  }
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/login.php`, {
    method: 'POST',
    body: new URLSearchParams({ login: LOGIN, pass: PASSWORD, auto: '' }),
    redirect: 'manual',
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`no login: ${response.status}`);
  return cookie;
}
