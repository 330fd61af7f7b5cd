import { join } from 'node:path';
import { readConfig } from '../../src/config/index.ts';
import { openCore } from '../../src/core.ts';
import { verifyBooks } from '../../src/ledger/index.ts';
import { parseRubles } from '../../src/lib/money.ts';
import type { Gateway, GatewayPlace } from './gateway.ts';
import { GATEWAY_CORE, start, type Running } from './processes.ts';
import {
  mockModel,
  outputTokensMax,
  postText,
  question,
  streamedCompletion,
  type Target,
} from './target.ts';

const ROOT = join(import.meta.dir, '..', '..');
const PASSWORD = 'a password of the benchmark';
const CREDIT_RUBLES = 1_000_000_000;
const MODEL_ID = 101;

/** For races: only the output of its answers costs, so that a hold equals its charge. */
const RACE_MODEL = `  - id: 102
    provider: mock
    model: ${mockModel}
    model_alias: race
    description: Race
    type: TEXT
    max_input_tokens: 128000
    max_output_tokens: 16384
    is_chat_mode_allowed: 1
    cost_input_tokens_rub: 0
    cost_output_tokens_rub: 2
`;

export interface Zastava extends Gateway {
  /** The same load from one user's rooms, as `target`, or from as many users as rooms. */
  manyUsers: Target;
  /** Milliseconds from the start to the line that reports that it listens. */
  readyMs: number;
  pid: number;
  /** Kills it at once. */
  kill: () => Promise<void>;
}

/** The final contents of the database, for comparison with the answers. */
export interface Books {
  answers: number;
  charges: number;
  /** What `ledger verify` found broken; empty if the books balance. */
  broken: string[];
}

/**
 * A fresh data directory with users, credit and a catalogue whose one model is the mock, and the server on
 * it, set up as an operator would leave it: SQLite with synchronous=FULL, the log at its default level.
 * @param rooms how many, for one user and for as many users
 */
export async function startZastava(place: GatewayPlace, rooms: number): Promise<Zastava> {
  const env = { ...environment(place.directory), ...place.env };
  await Bun.write(env.ZASTAVA_CATALOGUE, catalogueText(place.mockUrl));
  await addUsers(env, rooms + 1);
  const command = [...(place.under ?? []), ...(place.launcher ?? launcher)];
  const core = place.isFree ? undefined : GATEWAY_CORE;
  const running = await restartZastava(place.directory, place.env, command, core);
  const url = running.readyLine.replace('listening on ', '');
  const target = (name: string, requests: string[]): Target => ({
    name,
    url,
    requests,
    pid: running.pid,
  });
  const first = await logIn(url, loginOf(0));
  const oneUser = await Promise.all(Array.from({ length: rooms }, () => sendText(url, first)));
  const streams = await Promise.all(Array.from({ length: rooms }, () => streamText(url, first)));
  const manyUsers: string[] = [];
  for (let user = 1; user <= rooms; user++) {
    manyUsers.push(await sendText(url, await logIn(url, loginOf(user))));
  }
  return {
    target: { ...target('Zastava, one user', oneUser), streams },
    manyUsers: target(`Zastava, ${rooms} users`, manyUsers),
    readyMs: running.readyMs,
    pid: running.pid,
    stop: () => running.stop(),
    kill: () => running.kill(),
  };
}

const launcher: readonly string[] = ['sh', join(ROOT, 'bin/zastava')];

/**
 * The server on a data directory that `startZastava` has made.
 * @param env settings on top of the usual ones
 * @param command what starts it; usually the launcher that `npm start` calls
 */
export function restartZastava(
  directory: string,
  env: Readonly<Record<string, string>> = {},
  command = launcher,
  core: number | undefined = GATEWAY_CORE,
): Promise<Running> {
  return start([...command, 'serve'], {
    core,
    env: { ...environment(directory), ...env },
    readyLine: /^listening on /,
  });
}

/** The environment of a server with its own data directory, and none of this machine's providers. */
export function environment(directory: string) {
  return {
    ZASTAVA_DATA_DIR: join(directory, 'data'),
    ZASTAVA_CATALOGUE: join(directory, 'catalogue.yaml'),
    ZASTAVA_PORT: '0',
    ZASTAVA_HOST: '127.0.0.1',
    ZASTAVA_OLLAMA: 'off',
  };
}

export function catalogueText(mockUrl: string): string {
  return `providers:
  mock:
    kind: openai
    base_url: ${mockUrl}/v1
    api_key: none
models:
  - id: ${MODEL_ID}
    provider: mock
    model: ${mockModel}
    model_alias: ${mockModel}
    description: Mock
    description_full: A provider that answers at once, for the benchmark.
    type: TEXT
    max_input_tokens: 128000
    max_output_tokens: 16384
    min_temperature: 0
    max_temperature: 2
    is_chat_mode_allowed: 1
    cost_input_tokens_rub: 25
    cost_output_tokens_rub: 200
${RACE_MODEL}`;
}

/** Opens the modules on the database of a server, which may be running. */
export async function withBooks<T>(
  env: Record<string, string>,
  work: (core: Awaited<ReturnType<typeof openCore>>) => Promise<T>,
): Promise<T> {
  const config = readConfig({ ...env, ZASTAVA_LOG_LEVEL: 'silent' });
  const core = await openCore(config, { asServer: false });
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

/** Before the server starts, through the modules that the command line calls. */
async function addUsers(env: Record<string, string>, count: number): Promise<void> {
  await withBooks(env, async ({ users, ledger }) => {
    const credit = parseRubles(CREDIT_RUBLES) ?? 0;
    for (let user = 0; user < count; user++) {
      await users.add({ login: loginOf(user), password: PASSWORD }, (tx, id) =>
        ledger.openAccount(tx, id, credit, 'benchmark'),
      );
    }
  });
}

function loginOf(user: number): string {
  return `user-${user}`;
}

export async function logIn(url: string, login: string, password = PASSWORD): Promise<string> {
  const body = { login, password };
  return (await call<{ token: string }>(url, '/auth/login/', undefined, body)).token;
}

/** A stream over the compatible interface, in a separate room. */
async function streamText(url: string, token: string): Promise<string> {
  const room = await call<{ room_id: string }>(url, '/ai/room/', token, {});
  const headers = { authorization: `Bearer ${token}`, 'x-room-id': room.room_id };
  return postText(url, '/v1/chat/completions', headers, streamedCompletion);
}

/** A send in a separate room. */
async function sendText(url: string, token: string): Promise<string> {
  const room = await call<{ room_id: string }>(url, '/ai/room/', token, {});
  const body = {
    room_id: room.room_id,
    ai: MODEL_ID,
    message: question,
    max_output_tokens: outputTokensMax,
  };
  return postText(url, '/ai/send/', { authorization: `Bearer ${token}` }, body);
}

async function call<T>(
  url: string,
  path: string,
  token: string | undefined,
  body: unknown,
): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const answer = (await response.json()) as { data: T };
  return answer.data;
}

/** Reads the database of a server that has stopped. */
export async function readBooks(
  directory: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Books> {
  return withBooks({ ...environment(directory), ...env }, async ({ db }) => {
    const count = async (what: string): Promise<number> => {
      const [row] = await db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${what}`);
      return row?.n ?? 0;
    };
    const checks = await verifyBooks(db);
    return {
      answers: await count(`messages WHERE state = 'done'`),
      charges: await count(`ledger_entries WHERE account = 'user' AND kind = 'charge'`),
      broken: checks.filter((check) => !check.holds).map((check) => check.name),
    };
  });
}
