import { DatabaseUnavailableError } from '../lib/errors.ts';
import { SQL } from 'bun';
import { randomHex } from '../lib/ids.ts';
import { endsWithin } from '../lib/within.ts';
import { needsOtherConnections, translateError } from './postgres-errors.ts';
import { probeServer } from './postgres-probe.ts';
import { addressOf, nameIn } from './postgres-url.ts';
import { StatementAges } from './statement-ages.ts';

export const CONNECT_TIMEOUT_S = 5;
/** How long statements may still run when the pool is closed. */
const CLOSE_TIMEOUT_S = 5;
/** The server is probed if a statement has had no answer for one to two of these periods. */
const PATIENCE_MS = 3_000;
/** After this many silent probes in a row, all waiting calls fail. */
const SILENT_PROBES_MAX = 2;
/** For how many times `PATIENCE_MS` statements may still run on connections that were given up. */
const GRACE_PERIODS = 3;
/**
 * How long a probe of the server's health may take, and the statement after it on the connections that requests use.
 */
const PROBE_MAX_MS = 5_000;
const RECHECK_MS = 250;
/** Connections younger than this are not replaced: a standby may stay one for long. */
const RENEW_PAUSE_MS = 1_000;

export interface PoolSettings {
  url: string;
  connectionsMax: number;
  /** Each connection keeps its server process, so statements stay prepared. */
  keepsSessions: boolean;
  patienceMs?: number | undefined;
}

/** Connections that are opened and given up together. */
export interface Connections {
  readonly sql: SQL;
  readonly ages: StatementAges;
  readonly openedAt: number;
  /** How a writing transaction has to begin, known once the server was asked for its defaults. */
  writingMode?: Promise<string | undefined> | undefined;
  /** True when they were given up because the server did not answer. */
  silent: boolean;
}

/**
 * The connections to a PostgreSQL server. They are replaced when they get no answers any more: a network or a pooler
 * may fall silent without an error. A statement may run for as long as it takes: if it has had no answer for long, the
 * server is probed over a new connection, and the statement continues while the server works on it. No timeout of the
 * server or the client can replace this: docs/decisions/2026-11-23-watching-for-a-silent-postgresql.md.
 */
export class PostgresPool {
  readonly #options: SQL.PostgresOrMySQLOptions;
  /** Identifies this process's statements on the server; empty behind a pooler in transaction mode. */
  readonly #name: string;
  readonly #patienceMs: number;
  readonly #timer: Timer;
  /** Given up, but statements may still run on them. */
  readonly #former = new Set<SQL>();
  #current: Connections;
  #isAsking = false;
  #silentProbes = 0;

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
    this.#timer = setInterval(() => this.#check(), patienceMs);
    this.#timer.unref();
  }

  /** The connections for new statements. */
  get current(): Connections {
    return this.#current;
  }

  /**
   * Translates an error for callers, and replaces the connections if the error would occur on them again.
   * @param from the connections on which it occurred
   */
  failed(from: Connections, error: unknown): unknown {
    const translated = translateError(error);
    if (from.silent && translated instanceof DatabaseUnavailableError) {
      return new DatabaseUnavailableError('the database does not answer', {
        reason: 'silent',
        cause: error,
      });
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

  /**
   * Runs work on a new connection. If it succeeds while the current connections do not answer, they are replaced.
   * @throws DatabaseUnavailableError
   */
  async probe(work: (on: Connections) => Promise<void>): Promise<void> {
    const fresh = this.#open({ max: 1, connectionTimeout: PROBE_MAX_MS / 1000 });
    try {
      fresh.silent = !(await endsWithin(work(fresh), PROBE_MAX_MS));
      if (fresh.silent) throw new DatabaseUnavailableError('no answer');
    } catch (error) {
      throw this.failed(fresh, error);
    } finally {
      void fresh.sql.close({ timeout: 0 }).catch(() => undefined);
    }
    const answer = this.#current.sql.unsafe('SELECT 1').then(
      () => undefined,
      () => undefined,
    );
    if (!(await endsWithin(answer, RECHECK_MS))) await this.#ask(this.#current, 0);
  }

  #open(more: SQL.PostgresOrMySQLOptions = {}): Connections {
    const sql = new SQL({ ...this.#options, ...more });
    return { sql, ages: new StatementAges(), openedAt: performance.now(), silent: false };
  }

  /** Opens new connections for new statements. @param graceMs how long statements may run on the current ones */
  #renew(graceMs: number): void {
    const { sql } = this.#current;
    this.#current = this.#open();
    this.#former.add(sql);
    void sql
      .close({ timeout: graceMs / 1000 })
      .catch(() => undefined)
      .then(() => this.#former.delete(sql));
  }

  #check(): void {
    const isOverdue = this.#current.ages.nextPeriod();
    if (!isOverdue) this.#silentProbes = 0;
    else if (!this.#isAsking) void this.#ask(this.#current, this.#patienceMs / 2);
  }

  /**
   * Asks the server about the statements of these connections. @param sinceMs the least age of a statement that counts
   */
  async #ask(connections: Connections, sinceMs: number): Promise<void> {
    this.#isAsking = true;
    const patience = this.#patienceMs;
    const state = await probeServer(this.#options, this.#name, sinceMs, patience);
    this.#isAsking = false;
    this.#silentProbes = state === 'silent' ? this.#silentProbes + 1 : 0;
    if (connections !== this.#current) return;
    if (state === 'forgot') {
      connections.silent = true;
      this.#renew(GRACE_PERIODS * patience);
    } else if (this.#silentProbes >= SILENT_PROBES_MAX) {
      this.#silentProbes = 0;
      connections.silent = true;
      this.#renew(0);
    }
  }
}
