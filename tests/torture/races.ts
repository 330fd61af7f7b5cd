/**
 * Promises R2 and R3: one key has one effect, and nobody overspends, however many requests come at once, on
 * one node or on several that share a database.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type DatabaseConfig } from '../../src/db/index.ts';
import { verifyBooks } from '../../src/ledger/index.ts';
import { ADMIN, ask, loginAsAdmin, post, type Answer } from './client.ts';
import { catalogueFor, startJournalProvider, type JournalProvider } from './journal-provider.ts';
import { startServer, type ServerProcess } from './server-process.ts';

export interface RaceOptions {
  database: DatabaseConfig;
  nodes: number;
  requests: number;
}

/** Several nodes on one database, with one provider behind them. */
interface World {
  servers: ServerProcess[];
  provider: JournalProvider;
  /** Starts one more node, or the first one again. */
  start: (index: number) => Promise<ServerProcess>;
}

/** What one send can cost at most, in rubles, by the journal provider's catalogue and the body below. */
const PROVIDER_DELAY_MS = 30;
const MODEL = 101;
const CAP = 50;

export interface OverspendReport {
  passed: number;
  refused: number;
  others: string[];
  balance: number;
  booksHold: boolean;
}

/** R3: money for 10 sends, many at once over all nodes. */
export async function overspend(options: RaceOptions): Promise<OverspendReport> {
  return withWorld(options, async ({ servers, provider }) => {
    const [first] = servers;
    if (!first) throw new Error('no node');
    const admin = await loginAsAdmin(first.url);
    const login = 'poor';
    const password = 'poor-password';
    const message = 'race';
    const estimate = await worstCase(first.url, admin, message);
    const credit = Math.round(estimate * 10 * 1e6) / 1e6;
    await ask(first.url, admin, '/admin/users/add/', { login, password, credit });
    const token = String(
      (await ask(first.url, undefined, '/auth/login/', { login, password }))['token'],
    );
    const { room_id: roomId } = await ask(first.url, token, '/ai/room/', {});
    const body = { room_id: roomId, ai: MODEL, message, max_output_tokens: CAP };
    const answers = await Promise.all(
      Array.from({ length: options.requests }, (_, index) =>
        post(servers[index % servers.length]?.url ?? '', token, '/ai/send/', body),
      ),
    );
    const account = await ask(first.url, token, '/account/', {});
    const passed = answers.filter((answer) => answer?.status === 200).length;
    const refused = answers.filter((answer) => answer?.code === 'insufficient_funds').length;
    return {
      passed,
      refused,
      others: others(answers, [200, 402]),
      balance: Number(account['balance']),
      booksHold:
        (await booksHold(options.database)) && (provider.asked.get(message) ?? 0) >= passed,
    };
  });
}

export interface SameKeyReport {
  providerCalls: number;
  charges: number;
  /** Different answers among those that were given, also after a restart: must be one. */
  distinctAnswers: number;
  others: string[];
}

/** R2: the same key and body, many at once over all nodes, and again after a restart. */
export async function sameKey(options: RaceOptions): Promise<SameKeyReport> {
  return withWorld(options, async ({ servers, provider, start }) => {
    const [first] = servers;
    if (!first) throw new Error('no node');
    const token = await loginAsAdmin(first.url);
    const { room_id: roomId } = await ask(first.url, token, '/ai/room/', {});
    const body = { room_id: roomId, ai: MODEL, message: 'once', max_output_tokens: CAP };
    const headers = { 'idempotency-key': 'one-effect' };
    const send = (url: string) => post(url, token, '/ai/send/', body, headers);
    const answers = await Promise.all(
      Array.from({ length: options.requests }, (_, index) =>
        send(servers[index % servers.length]?.url ?? ''),
      ),
    );
    await first.kill();
    const again = await start(0);
    servers[0] = again;
    answers.push(await send(again.url));
    const given = answers.filter((answer) => answer?.status === 200);
    return {
      providerCalls: provider.asked.get('once') ?? 0,
      charges: await chargesOf(options.database),
      distinctAnswers: new Set(given.map((answer) => JSON.stringify(answer?.data))).size,
      others: others(answers, [200, 409]),
    };
  });
}

async function withWorld<T>(options: RaceOptions, work: (world: World) => Promise<T>): Promise<T> {
  const { database, nodes } = options;
  const root = await mkdtemp(join(tmpdir(), 'zastava-race-'));
  const provider = startJournalProvider(() => PROVIDER_DELAY_MS);
  const catalogue = join(root, 'catalogue.yaml');
  await writeFile(catalogue, catalogueFor(provider.baseUrl));
  const start = (index: number) =>
    startServer({
      ZASTAVA_DATA_DIR:
        database.kind === 'sqlite' ? join(database.path, '..') : join(root, `${index}`),
      ZASTAVA_CATALOGUE: catalogue,
      ZASTAVA_ADMIN_PASSWORD: ADMIN.password,
      ZASTAVA_SECRET: 'torture-secret-of-at-least-32-bytes',
      ...(database.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.url }),
    });
  const servers: ServerProcess[] = [];
  try {
    for (let index = 0; index < nodes; index++) servers.push(await start(index));
    return await work({ servers, provider, start });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await provider.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function worstCase(url: string, token: string, message: string): Promise<number> {
  const { room_id: roomId } = await ask(url, token, '/ai/room/', {});
  const body = { room_id: roomId, ai: MODEL, message, max_output_tokens: CAP };
  return Number((await ask(url, token, '/ai/estimate/', body))['cost_max']);
}

function others(answers: (Answer | undefined)[], expected: number[]): string[] {
  const odd = answers.filter((answer) => !answer || !expected.includes(answer.status));
  return [...new Set(odd.map((answer) => `${answer?.status} ${answer?.code}`))];
}

async function booksHold(config: DatabaseConfig): Promise<boolean> {
  const db = openDatabase(config);
  try {
    return (await verifyBooks(db)).every((check) => check.holds);
  } finally {
    await db.close();
  }
}

async function chargesOf(config: DatabaseConfig): Promise<number> {
  const db = openDatabase(config);
  try {
    const [row] = await db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user' AND kind = 'charge'`,
    );
    return row?.n ?? 0;
  } finally {
    await db.close();
  }
}
