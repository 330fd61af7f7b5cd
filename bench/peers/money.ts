/** Money that is lost or given away: after a kill -9, in a race for a budget, and when clients leave their streams. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/gateways.ts';
import type { Measure, MeasureOptions } from '../support/measure.ts';
import type { Mock } from '../support/mock.ts';
import type { Report } from '../support/report.ts';
import { startZastava } from '../support/zastava.ts';
import type { AllPeers } from './all.ts';
import { raceTokens, type Account, type Peer } from './peer.ts';
import { asPeer } from './zastava-peer.ts';

const REQUESTS = 1_000;
const CLIENTS = 50;
/** The gateway is killed once the provider has answered this many requests. */
const KILLED_AT = 500;
/** A slow gateway is killed after this time. */
const KILLED_MS = 45_000;
const PROVIDER_DELAY_MS = 20;
const BUDGET = 10;
const STREAMS = 100;
const STREAMS_AT_ONCE = 20;
/** The delay between the writes of a stream that its client leaves after the first. */
const STREAM_DELAY_MS = 100;
/** A gateway that does not answer for this long has stopped answering. */
const SILENT_MS = 40_000;
/** How long to wait for late entries in a gateway's books. */
const SETTLED_MS = 3_000;
const SECRET = 'a secret of the benchmark, 32 bytes or more';

export const money: Measure = {
  name: 'money',
  async run(options) {
    const { peers: all } = options;
    if (!all) throw new Error('this measure needs --peers');
    await using place = await temporaryDirectory();
    const rows: string[][] = [];
    for (const start of [sqlite, postgres]) {
      const peer = await start(all, place.path);
      rows.push(await rowOf(peer, all.mock, options));
      await peer.stop();
    }
    for (const peer of all.peers) rows.push(await rowOf(peer, all.mock, options));
    return reportOf(rows, all.absent);
  },
};

async function sqlite({ mock }: AllPeers, root: string): Promise<Peer> {
  const directory = join(root, 'sqlite');
  await mkdir(directory);
  const zastava = await startZastava({ mockUrl: mock.url, directory }, 1);
  return asPeer(zastava, { name: 'Zastava, SQLite', books: 'SQLite', directory });
}

async function postgres({ mock, database }: AllPeers, root: string): Promise<Peer> {
  const directory = join(root, 'postgres');
  await mkdir(directory);
  const env = { ZASTAVA_DATABASE_URL: await database.create('money'), ZASTAVA_SECRET: SECRET };
  const zastava = await startZastava({ mockUrl: mock.url, directory, env }, 1);
  return asPeer(zastava, { name: 'Zastava, PostgreSQL', books: 'PostgreSQL', directory, env });
}

async function rowOf(peer: Peer, mock: Mock, { progress }: MeasureOptions): Promise<string[]> {
  progress(`money of ${peer.target.name}`);
  const started = performance.now();
  const killed = await kill(peer, mock);
  const left = await hangUps(peer, mock);
  const passed = await race(peer, mock);
  await mock.delay(0);
  const row = [peer.target.name, peer.books, ...killed, passed, left];
  progress(`${row.join(', ')} (${Math.round((performance.now() - started) / 1000)} s)`);
  return row;
}

/** 1,000 requests, and kill -9 in the middle of them. */
async function kill(peer: Peer, mock: Mock): Promise<string[]> {
  const account = await peer.open();
  if (!account) return ['', '', ''];
  const before = await peer.booked(account);
  await mock.delay(PROVIDER_DELAY_MS);
  const given = await mock.completions();
  let [sent, answered] = [0, 0];
  const dead = new AbortController();
  const clients = Array.from({ length: peer.target.connectionsMax ? 1 : CLIENTS }, async () => {
    while (!dead.signal.aborted && sent++ < REQUESTS) if ((await ask(account)) === 200) answered++;
  });
  const deadline = performance.now() + KILLED_MS;
  while ((await mock.completions()) - given < KILLED_AT && performance.now() < deadline) {
    await Bun.sleep(1);
  }
  const crashed = peer.crash();
  dead.abort();
  await Promise.all(clients);
  await crashed;
  await mock.delay(0);
  const provided = (await mock.completions()) - given;
  await Bun.sleep(SETTLED_MS);
  return [String(provided), String(answered), since(before, await peer.booked(account))];
}

/** 1,000 requests at once, with a budget for ten. */
async function race(peer: Peer, mock: Mock): Promise<string> {
  const account = await peer.open(BUDGET);
  if (!account) return '';
  await mock.delay(PROVIDER_DELAY_MS);
  const statuses = await Promise.all(Array.from({ length: REQUESTS }, () => ask(account)));
  const passed = statuses.filter((status) => status === 200).length;
  const silent = statuses.filter((status) => status === 0).length;
  return silent === 0 ? String(passed) : `${passed}, ${silent} unanswered`;
}

/** Clients that leave at the first delta. */
async function hangUps(peer: Peer, mock: Mock): Promise<string> {
  const account = await peer.open();
  if (!account) return '';
  const before = await peer.booked(account);
  if (before === undefined) return '';
  await mock.delay(STREAM_DELAY_MS);
  let left = 0;
  const atOnce = peer.target.connectionsMax ? 1 : STREAMS_AT_ONCE;
  const clients = Array.from({ length: atOnce }, async () => {
    while (left++ < STREAMS) await leave(account);
  });
  await Promise.all(clients);
  await mock.delay(0);
  await Bun.sleep(SETTLED_MS);
  return since(before, await peer.booked(account));
}

/** Empty if there are no books. */
function since(before: number | undefined, now: number | undefined): string {
  return before === undefined || now === undefined ? '' : String(now - before);
}

function bodyOf({ model }: Account, stream: boolean): string {
  const messages = [{ role: 'user', content: 'What was a town gate for?' }];
  const more = stream ? { stream, stream_options: { include_usage: true } } : {};
  return JSON.stringify({ model, messages, max_tokens: raceTokens, ...more });
}

function post(account: Account, stream: boolean, signal: AbortSignal): Promise<Response> {
  return fetch(`${account.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'application/json' },
    body: bodyOf(account, stream),
    signal,
  });
}

/** @returns the status, or 0 without an answer */
async function ask(account: Account): Promise<number> {
  try {
    const response = await post(account, false, AbortSignal.timeout(SILENT_MS));
    await response.bytes();
    return response.status;
  } catch {
    return 0;
  }
}

async function leave(account: Account): Promise<void> {
  const abort = new AbortController();
  try {
    const response = await post(account, true, abort.signal);
    const reader = response.body?.getReader();
    await reader?.read();
  } catch {
    // Only the books count it.
  }
  abort.abort();
}

function reportOf(rows: string[][], absent: string[]): Report {
  return {
    name: 'Money',
    title: 'what is lost, and what is given away',
    columns: [
      'target',
      'its books',
      'kill -9: provider gave',
      'callers got',
      'in its books',
      `${REQUESTS} at once, budget for ${BUDGET}: passed`,
      `${STREAMS} left streams: in its books`,
    ],
    rows,
    notes: [
      `${REQUESTS} requests over ${CLIENTS} connections to a provider that takes ${PROVIDER_DELAY_MS} ms; kill -9 when it has given ${KILLED_AT}; then started again. Answers that callers got and that are not in the books are lost money; answers that only the provider gave were under way, and no caller has them.`,
      `A budget for exactly ${BUDGET} answers, and ${REQUESTS} requests at once. LiteLLM’s is that of a provider (\`provider_budget_config\`), the one that it has without a database.`,
      `${STREAMS} clients leave at the first of 5 writes, which are ${STREAM_DELAY_MS} ms apart. The provider bills what it made until it was stopped.`,
      'any-llm-gateway is asked over one connection, but for the race: with two calls of one user at once, it waits for its own row lock and stops answering. Portkey and nginx keep no books.',
      ...absent.map((sentence) => `${sentence}.`),
    ],
  };
}
