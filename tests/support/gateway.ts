/**
 * A whole gateway in this process, with its own database and without a port: the harness of every test of the HTTP
 * interface.
 *
 *   await using gateway = await openGateway(dialect);
 *   const { token } = await gateway.addUser({ credit: 10 });
 *   const { status, body } = await gateway.post('/account/', {}, { token });
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createApp,
  type App,
  type AppOptions,
  socketHandler,
  type SocketEvents,
} from '../../src/app.ts';
import { readConfig } from '../../src/config/index.ts';
import { openCore, type Core } from '../../src/core.ts';
import { nextNumber, type Dialect } from '../../src/db/index.ts';
import { BodyThread } from '../../src/http/index.ts';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import type { ErrorDetail } from '../../src/lib/errors.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { parseRubles } from '../../src/lib/money.ts';
import { Passwords, Tokens, type HashCost } from '../../src/users/index.ts';
import { openTestDatabase, type TestDatabase } from './databases.ts';

/**
 * Shared by all gateways of this process, which has more memory than a server: each thread loads all schemas when it
 * starts.
 */
const bodyThreads = { quick: new BodyThread(Infinity), thread: new BodyThread(Infinity) };

/** The least work: argon2id is slow on purpose, and tests log in hundreds of times. */
export const QUICK_HASH: HashCost = { memoryKib: 8, passes: 1 };

/** The password of every user that `addUser` makes. */
export const PASSWORD = 'correct horse battery';

/** Long enough to read a page, or a catalogue, even on a busy machine. */
const READING_MAX_MS = 600_000;

/** For another process on the same database. */
export const GATEWAY_SECRET = 'the secret of a gateway under test';
const SECRET = new TextEncoder().encode(GATEWAY_SECRET);

export interface GatewayOptions extends AppOptions {
  /** A catalogue file, applied before the start. */
  catalogue?: string;
  /** Settings, by the names of their environment variables. */
  env?: Record<string, string>;
  clock?: Clock;
  /** Where the log goes; nowhere by default. */
  log?: Log;
  /** The work of hashing a password; hardly any by default. */
  hashCost?: HashCost;
  /** The database of another gateway, to be a second node on it; not removed. */
  database?: TestDatabase;
  /** The data directory of another gateway, to start again on it; not removed. */
  dataDir?: string;
}

/** The envelope of every JSON answer. */
export interface Envelope {
  status: 'ok' | 'error';
  data?: unknown;
  error?: { code: string; message: string; details?: ErrorDetail[] };
  request_id?: string;
}

export interface Answer {
  status: number;
  body: Envelope;
  headers: Headers;
}

export interface PostOptions {
  token?: string | undefined;
  headers?: Record<string, string>;
}

export interface TestUser {
  userId: number;
  login: string;
  token: string;
}

export interface Gateway extends AsyncDisposable {
  core: Core;
  app: App;
  database: TestDatabase;
  dataDir: string;
  /** Any request; `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** @param body sent as JSON; a text is sent unchanged */
  post(path: string, body?: unknown, options?: PostOptions): Promise<Answer>;
  /** The `data` of a response that must be a success; `T` is the type that the test expects. */
  data<T>(path: string, body?: unknown, options?: PostOptions): Promise<T>;
  /** The code of a response that must be an error. */
  code(path: string, body?: unknown, options?: PostOptions): Promise<string>;
  /** A token from the login operation. */
  login(login: string, password?: string): Promise<string>;
  /** A user with a token, whose password is `PASSWORD`. @param input.credit rubles; 0 by default */
  addUser(input?: {
    login?: string;
    credit?: number;
    isAdmin?: boolean;
    isOperator?: boolean;
  }): Promise<TestUser>;
  /** A new room of the token's user. */
  room(token: string): Promise<string>;
  /**
   * Opens a port for clients that need one.
   * @returns the address, e.g. `http://127.0.0.1:40123`
   */
  listen(): string;
}

export async function openGateway(
  dialect: Dialect,
  options: GatewayOptions = {},
): Promise<Gateway> {
  await using stack = new AsyncDisposableStack();
  const database = options.database ?? stack.use(await openTestDatabase(dialect));
  const dataDir = options.dataDir ?? (await temporaryDirectory(stack));
  const config = readConfig({
    ZASTAVA_SECRET: GATEWAY_SECRET,
    ...options.env,
    ZASTAVA_DATA_DIR: dataDir,
  });
  const { clock = systemClock, hashCost = QUICK_HASH } = options;
  const core = await openCore(
    { ...config, database: database.config },
    {
      asServer: true,
      overrides: {
        clock,
        log: options.log ?? silentLog,
        pageWaitMs: READING_MAX_MS,
        readingMaxMs: READING_MAX_MS,
        hashCost,
      },
    },
  );
  stack.defer(() => core.close());
  if (options.catalogue !== undefined) await core.catalogue.apply(options.catalogue);
  const app = await createApp(core, { bodyThreads, ...options });
  stack.defer(async () => void (await app.stop(0)));
  const kept = stack.move();
  return {
    core,
    app,
    database,
    dataDir,
    ...client(app),
    addUser: userMaker(core, clock, hashCost),
    listen: () => listen(core, app, kept),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'zastava-data-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

type Client = Pick<Gateway, 'fetch' | 'post' | 'data' | 'code' | 'login' | 'room'>;

function client(app: App): Client {
  const fetch: Client['fetch'] = async (path, init) =>
    app.fetch(new Request(`http://gateway.test${path}`, init));
  const post: Client['post'] = async (path, body = {}, { token, headers = {} } = {}) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as Envelope;
    return { status: response.status, body: answer, headers: response.headers };
  };
  const data = async <T>(path: string, body?: unknown, options?: PostOptions): Promise<T> => {
    const { status, body: answer } = await post(path, body, options);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer.data as T;
  };
  return {
    fetch,
    post,
    data,
    async code(path, body, options) {
      const { body: answer } = await post(path, body, options);
      if (!answer.error) throw new Error(`${path} answered a success: ${JSON.stringify(answer)}`);
      return answer.error.code;
    },
    async login(login, password = PASSWORD) {
      return (await data<{ token: string }>('/auth/login/', { login, password })).token;
    },
    async room(token) {
      return (await data<{ room_id: string }>('/ai/room/', {}, { token })).room_id;
    },
  };
}

/** Adds users by writing what `Users.add` writes, with one password hash for all. */
function userMaker({ config, db, ledger }: Core, clock: Clock, cost: HashCost): Gateway['addUser'] {
  let passwordHash: Promise<string> | undefined;
  const { tokenTtlSeconds: ttlSeconds, sessionMaxSeconds } = config;
  const tokens = new Tokens({ clock, secret: SECRET, ttlSeconds, sessionMaxSeconds });
  return async ({ login: wanted, credit = 0, isAdmin = false, isOperator = false } = {}) => {
    passwordHash ??= new Passwords({ cost }).hash(PASSWORD);
    const hash = await passwordHash;
    const user = await db.transaction(async (tx) => {
      const userId = await nextNumber(tx, 'users');
      const login = wanted ?? `user-${userId}`;
      await tx.query(
        `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_operator,
           is_blocked, token_epoch, created_at) VALUES ($1, $2, $3, $4, $5, $6, 0, 1, $7)`,
        [
          userId,
          login,
          login.toLowerCase(),
          hash,
          isAdmin ? 1 : 0,
          isOperator ? 1 : 0,
          clock.now(),
        ],
      );
      await ledger.openAccount(tx, userId, parseRubles(credit) ?? 0, 'test');
      return { userId, login };
    });
    const { token } = await tokens.issue(user.userId, 1);
    return { ...user, token };
  };
}

function listen({ listening }: Core, app: App, stack: AsyncDisposableStack): string {
  const server = Bun.serve<SocketEvents>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, connection) => app.fetch(request, connection),
    websocket: socketHandler,
  });
  // Deferred last, so it is stopped first.
  stack.defer(() => server.stop(true));
  listening.url = `http://127.0.0.1:${server.port}`;
  return listening.url;
}
