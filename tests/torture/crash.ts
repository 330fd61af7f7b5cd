/**
 * Promise R1: a crash loses or doubles no charge. The server is killed again and again in the middle of
 * sends; after each restart the database, the provider's journal and the client's log must agree.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseConfig } from '../../src/db/index.ts';
import { compareBooks, type ClientLogEntry, type Comparison } from './compare-books.ts';
import { ADMIN, ask, loginAsAdmin, post } from './client.ts';
import { catalogueFor, startJournalProvider } from './journal-provider.ts';
import { randomFrom } from './random.ts';
import { startServer } from './server-process.ts';

export interface CrashOptions {
  database: DatabaseConfig;
  kills: number;
  /** Sends in flight at once. */
  inFlight: number;
  seed: number;
}

export interface CrashReport extends Comparison {
  seed: number;
  kills: number;
  sends: number;
  answered: number;
  slowestRestartMs: number;
}

/** How long a server lives before it is killed: from the middle of its first sends to many of them. */
const LIFE_MS = { least: 150, most: 700 };
const PROVIDER_DELAY_MS = 40;

export async function crash(options: CrashOptions): Promise<CrashReport> {
  const random = randomFrom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'zastava-crash-'));
  const provider = startJournalProvider(() => random() * PROVIDER_DELAY_MS);
  const catalogue = join(dataDir, 'catalogue.yaml');
  await writeFile(catalogue, catalogueFor(provider.baseUrl));
  const { database } = options;
  const env = {
    ZASTAVA_DATA_DIR: dataDir,
    ZASTAVA_CATALOGUE: catalogue,
    ZASTAVA_ADMIN_PASSWORD: ADMIN.password,
    ZASTAVA_SECRET: 'torture-secret-of-at-least-32-bytes',
    ...(database.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.url }),
  };
  const log: ClientLogEntry[] = [];
  let slowestRestartMs = 0;
  try {
    for (let kill = 0; kill < options.kills; kill++) {
      const server = await startServer(env);
      if (kill === 0) await fillPurse(server.url);
      slowestRestartMs = Math.max(slowestRestartMs, server.readyMs);
      const lifeMs = LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least);
      let alive = true;
      const clients = runClients(server.url, options.inFlight, log, kill, () => alive);
      await Bun.sleep(lifeMs);
      alive = false;
      await server.kill();
      await clients;
    }
    const last = await startServer(env);
    slowestRestartMs = Math.max(slowestRestartMs, last.readyMs);
    await repeatUnknown(last.url, log);
    const comparison = await compareBooks(openConfig(options, dataDir), log, provider.asked);
    await last.stop();
    return {
      ...comparison,
      seed: options.seed,
      kills: options.kills,
      sends: log.length,
      answered: log.filter((entry) => entry.answer !== undefined).length,
      slowestRestartMs: Math.round(slowestRestartMs),
    };
  } finally {
    await provider.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Money for more sends than any run makes. */
async function fillPurse(url: string): Promise<void> {
  const token = await loginAsAdmin(url);
  const credit = { login: ADMIN.login, amount: 10_000_000, reason: 'torture' };
  await ask(url, token, '/admin/users/credit/', credit);
}

function openConfig({ database }: CrashOptions, dataDir: string): DatabaseConfig {
  return database.kind === 'postgres'
    ? database
    : { kind: 'sqlite', path: join(dataDir, 'zastava.sqlite') };
}

/** Each client sends one message after the other, every second one under an idempotency key. */
async function runClients(
  url: string,
  count: number,
  log: ClientLogEntry[],
  life: number,
  alive: () => boolean,
): Promise<void> {
  const token = await loginAsAdmin(url).catch(() => undefined);
  if (token === undefined) return;
  const { room_id: roomId } = await ask(url, token, '/ai/room/', {}).catch(() => ({
    room_id: undefined,
  }));
  if (typeof roomId !== 'string') return;
  const client = async (number: number) => {
    for (let index = 0; alive(); index++) {
      const message = `life ${life} client ${number} message ${index}`;
      const key = index % 2 === 0 ? message : undefined;
      const entry: ClientLogEntry = { message, roomId, key, answer: undefined };
      log.push(entry);
      await send(url, token, entry);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, number) => client(number)));
}

async function send(url: string, token: string, entry: ClientLogEntry): Promise<void> {
  const body = { room_id: entry.roomId, ai: 101, message: entry.message, max_output_tokens: 50 };
  const headers: Record<string, string> = entry.key ? { 'idempotency-key': entry.key } : {};
  const answer = await post(url, token, '/ai/send/', body, headers);
  if (answer?.status === 200) {
    entry.answer = { id: Number(answer.data['id']), response: String(answer.data['response']) };
  }
}

/** What a careful client does after a crash: it repeats, under the same keys, what it got no answer to. */
async function repeatUnknown(url: string, log: ClientLogEntry[]): Promise<void> {
  const token = await loginAsAdmin(url);
  const unknown = log.filter((entry) => entry.answer === undefined && entry.key !== undefined);
  for (const entry of unknown) await send(url, token, entry);
}
