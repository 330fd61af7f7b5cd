import { DatabaseUnavailableError } from '../lib/errors.ts';
import { SQL } from 'bun';
import { randomHex } from '../lib/ids.ts';
import { needsOtherConnections, translateError } from './postgres-errors.ts';
import { lookAtServer } from './postgres-probe.ts';
import { addressOf, nameIn } from './postgres-url.ts';
import { StatementAges } from './statement-ages.ts';

export const CONNECT_TIMEOUT_S = 5;
/** What runs when the pool is closed has that long to end. */
const CLOSE_TIMEOUT_S = 5;
/** A statement that has been without an answer for one to two of these is asked after. */
const PATIENCE_MS = 3_000;
/** How often in a row the server must be silent before all that wait are told. */
const SILENT_MAX = 2;
/** What statements that still get an answer have on connections that are given up: so many times that. */
const GRACE_PERIODS = 3;
/** Connections younger than this are not given up for others: a standby may stay one for long. */
const RENEW_PAUSE_MS = 1_000;

/** What decides about the connections. */
export interface PoolSettings {
  url: string;
  connectionsMax: number;
  /** Statements stay prepared; each connection is one process of the server. */
  keepsSessions: boolean;
  patienceMs?: number | undefined;
}

/** Connections that were opened for the same reason, and are given up together. */
export interface Connections {
  readonly sql: SQL;
  readonly ages: StatementAges;
  readonly openedAt: number;
  /** What a writing transaction has to say at its beginning, once the server was asked. */
  writingMode?: Promise<string | undefined> | undefined;
  /** Set when they were given up because nobody answers. */
  silent: boolean;
}

/**
 * The connections to a PostgreSQL server. They are replaced when it turns out that nobody answers on them
 * any more, which no error tells where the network or a pooler falls silent. A statement may run for as long as it
 * takes: one that has no answer yet is asked after, on a connection of its own, and is waited for while the server
 * works on it.
 */
export class PostgresPool {
  readonly #options: SQL.PostgresOrMySQLOptions;
  /** By which the server tells our statements from those of other processes; with transactions pooled there is none. */
  readonly #name: string;
  readonly #patienceMs: number;
  readonly #timer: Timer;
  /** Those that were given up, and may still have work. */
  readonly #former = new Set<SQL>();
  #current: Connections;
  #isLooking = false;
  #silences = 0;

  constructor({ url, connectionsMax, keepsSessions, patienceMs = PATIENCE_MS }: PoolSettings) {
    this.#name = nameIn(url) ?? (keepsSessions ? `zastava-${randomHex(4)}` : '');
    this.#options = {
      ...addressOf(url),
      max: connectionsMax,
      bigint: true,
      connectionTimeout: CONNECT_TIMEOUT_S,
      prepare: keepsSessions,
      ...(this.#name !== '' && { connection: { application_name: this.#name } }),
    };
    this.#patienceMs = patienceMs;
    this.#current = this.#open();
    this.#timer = setInterval(() => this.#turn(), patienceMs);
    this.#timer.unref();
  }

  /** Those for what begins now. */
  get current(): Connections {
    return this.#current;
  }

  /**
   * Makes of an error what a caller can use, and gives up connections on which it would come again.
   * @param from those that it came from
   */
  failed(from: Connections, error: unknown): unknown {
    const translated = translateError(error);
    if (from.silent && translated instanceof DatabaseUnavailableError) {
      return new DatabaseUnavailableError('the database does not answer', { cause: error });
    }
    if (needsOtherConnections(error) && from === this.#current) {
      if (performance.now() - from.openedAt > RENEW_PAUSE_MS)
        this.#renew(GRACE_PERIODS * this.#patienceMs);
    }
    return translated;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const all = [...this.#former, this.#current.sql];
    await Promise.all(all.map((sql) => sql.close({ timeout: CLOSE_TIMEOUT_S })));
  }

  #open(): Connections {
    const ages = new StatementAges();
    return { sql: new SQL(this.#options), ages, openedAt: performance.now(), silent: false };
  }

  /** What begins now gets other connections. @param graceMs what runs on those before has that long to end */
  #renew(graceMs: number): void {
    const { sql } = this.#current;
    this.#current = this.#open();
    this.#former.add(sql);
    void sql
      .close({ timeout: graceMs / 1000 })
      .catch(() => undefined)
      .then(() => this.#former.delete(sql));
  }

  #turn(): void {
    const isOverdue = this.#current.ages.turn();
    if (!isOverdue) this.#silences = 0;
    else if (!this.#isLooking) void this.#look(this.#current);
  }

  async #look(asked: Connections): Promise<void> {
    this.#isLooking = true;
    const patience = this.#patienceMs;
    const seen = await lookAtServer(this.#options, this.#name, patience / 2, patience);
    this.#isLooking = false;
    this.#silences = seen === 'silent' ? this.#silences + 1 : 0;
    if (asked !== this.#current) return;
    if (seen === 'forgot') {
      asked.silent = true;
      this.#renew(GRACE_PERIODS * this.#patienceMs);
    } else if (this.#silences >= SILENT_MAX) {
      this.#silences = 0;
      asked.silent = true;
      this.#renew(0);
    }
  }
}
