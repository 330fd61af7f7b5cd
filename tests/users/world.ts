/** The whole module on a separate database, with a clock that stands still. */
import pino from 'pino';
import type { Database, Dialect } from '../../src/db/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import type { Log, LogLevel } from '../../src/lib/log.ts';
import {
  ApiKeys,
  Authenticator,
  CallerCache,
  LoginThrottle,
  Passwords,
  SecondFactors,
  SecurityLog,
  Tokens,
  Users,
  type User,
} from '../../src/users/index.ts';
import { openTestDatabase } from '../support/databases.ts';
import { QUICK_HASH } from '../support/gateway.ts';

export const PASSWORD = 'correct horse battery';
export const ADDRESS = '192.0.2.1';
export const SECRET = new Uint8Array(32).fill(7);
export const TTL_SECONDS = 3_600;
export const SESSION_MAX_SECONDS = 10 * TTL_SECONDS;
export const START_MS = Date.UTC(2026, 0, 1);

const quickPasswords = () => new Passwords({ cost: QUICK_HASH });

export class TestClock implements Clock {
  wall = START_MS;
  ticks = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.ticks;
  }

  /** Moves both clocks forward. */
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.ticks += milliseconds;
  }
}

/** A line of the log. */
export type LogLine = Record<string, unknown> & { event: string };

/** A log that collects its lines in `logged`. */
export function recordingLog(logged: LogLine[], level: LogLevel = 'trace'): Log {
  return pino(
    { level, base: null, timestamp: false },
    { write: (line) => void logged.push(JSON.parse(line)) },
  );
}

/** One node: all objects of a process, on a database that nodes share. */
export function openNode(db: Database, clock: TestClock, passwords = quickPasswords()) {
  const logged: LogLine[] = [];
  const security = new SecurityLog({ log: recordingLog(logged), clock });
  const callers = new CallerCache(clock);
  const users = new Users({ db, clock, passwords, callers });
  const tokens = new Tokens({
    clock,
    secret: SECRET,
    ttlSeconds: TTL_SECONDS,
    sessionMaxSeconds: SESSION_MAX_SECONDS,
  });
  const keys = new ApiKeys({ db, clock, callers, security });
  const factors = new SecondFactors({ db, clock, box: SecretBox.create(SECRET, 'second-factor') });
  const throttle = new LoginThrottle({ db, clock, secret: SECRET });
  const auth = new Authenticator({
    db,
    clock,
    users,
    passwords,
    tokens,
    keys,
    throttle,
    callers,
    security,
    factors,
    needsFactor: false,
  });
  return { users, tokens, keys, throttle, auth, security, factors, logged };
}

/** Counts the statements that reach the database. */
function counting(db: Database) {
  const counter = { calls: 0 };
  const counted: Database = {
    dialect: db.dialect,
    query: (text, params) => (counter.calls++, db.query(text, params)),
    transaction: (work) => (counter.calls++, db.transaction(work)),
    snapshot: (work) => (counter.calls++, db.snapshot(work)),
    close: () => db.close(),
  };
  return { counted, counter };
}

export async function openWorld(dialect: Dialect, passwords = quickPasswords()) {
  const database = await openTestDatabase(dialect);
  const clock = new TestClock();
  const { counted, counter } = counting(database.db);
  const node = openNode(counted, clock, passwords);
  return {
    ...node,
    db: database.db,
    config: database.config,
    clock,
    counter,
    /** A user without the cost of a password hash, for tests that need no right password. */
    async addPlain(login: string): Promise<number> {
      return database.db.transaction(async (tx) => {
        const [row] = await tx.query<{ id: number }>(
          `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked,
             token_epoch, created_at)
           SELECT 1000 + COUNT(*), $1, $2, '', 0, 0, 1, 0 FROM users RETURNING id`,
          [login, login],
        );
        return row?.id ?? 0;
      });
    },
    add: (login: string): Promise<User> =>
      node.users.add({ login, password: PASSWORD }, () => Promise.resolve()),
    login: (login: string, password = PASSWORD, address = ADDRESS) =>
      node.auth.login({ login, password, address }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** The error that a call ends with; anything but a DomainError fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<DomainError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

export async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await refusalOf(call)).code;
}
