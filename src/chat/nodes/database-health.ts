import { ConstraintError, writeSetting, type Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { DatabaseUnavailableError, DomainError, messageOf } from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { Outage } from '../../lib/outage.ts';
import { endsWithin } from '../../lib/within.ts';

/** A database that takes longer than this counts as silent. */
const ANSWER_MAX_MS = 2_000;
/** The interval of test writes while writes fail. */
const PROBE_EVERY_MS = 1_000;
/** About what the writes of a large send need: on a disk that is nearly full, a single row still fits. */
const PROBE_BYTES = 32 * 1024;
const PROBE_NAME = 'write_probe';

export interface DatabaseHealthParts {
  db: Database;
  clock: Clock;
  log: Log;
}

/**
 * Knows whether the database reads and writes, for readiness. While writes succeed, no test write is made.
 * After a failed write, there is a test write once a second until one succeeds. The log says once that writes fail,
 * and once that they work again.
 */
export class DatabaseHealth {
  readonly #parts: DatabaseHealthParts;
  readonly #outage: Outage;
  /** Set until the test write that it begins has ended. */
  #timer: Timer | undefined;
  #stopped = false;
  #reading: { answers: Promise<boolean>; since: number } | undefined;

  constructor(parts: DatabaseHealthParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** Whether the database takes writes and answers a query. Resolves soon even if the database is silent. */
  async isWell(): Promise<boolean> {
    if (this.#outage.lasts) return false;
    const answers = this.#answers();
    return (await endsWithin(answers, ANSWER_MAX_MS)) && (await answers);
  }

  /** Call with the error of a failed write. Unless the gateway itself refused the write, a test write follows. */
  suspect(error: unknown): void {
    if (error instanceof DomainError || error instanceof ConstraintError || this.#stopped) return;
    if (error instanceof DatabaseUnavailableError) this.#fails(error);
    this.#timer ??= setTimeout(() => void this.#probe(), PROBE_EVERY_MS);
  }

  /** The same database, for periodic work: failed transactions are noticed. */
  watched(): Database {
    const { db } = this.#parts;
    return {
      dialect: db.dialect,
      query: (text, params) => db.query(text, params),
      snapshot: (work) => db.snapshot(work),
      close: () => db.close(),
      transaction: async (work) => {
        try {
          return await db.transaction(work);
        } catch (error) {
          this.suspect(error);
          throw error;
        }
      },
    };
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #fails(error: unknown): void {
    if (!this.#outage.begin()) return;
    this.#parts.log.error(
      { why: messageOf(error) },
      'the database takes no writes: sends are refused, and /readyz answers 503, until it does',
    );
  }

  async #probe(): Promise<void> {
    const { db, log } = this.#parts;
    try {
      await db.transaction((tx) => writeSetting(tx, PROBE_NAME, randomHex(PROBE_BYTES)));
      await db.transaction((tx) => tx.query('DELETE FROM settings WHERE name = $1', [PROBE_NAME]));
      this.#timer = undefined;
      const seconds = this.#outage.end();
      if (seconds !== undefined) log.warn({ seconds }, 'the database takes writes again');
    } catch (error) {
      this.#timer = undefined;
      if (this.#stopped) return;
      this.#fails(error);
      this.suspect(error);
    }
  }

  /** One query at a time for all callers. Later callers do not wait for a query that hangs. */
  #answers(): Promise<boolean> {
    const now = this.#parts.clock.monotonic();
    if (this.#reading && now - this.#reading.since < ANSWER_MAX_MS) return this.#reading.answers;
    const answers = this.#parts.db.query('SELECT 1 AS one').then(
      () => true,
      () => false,
    );
    const reading = { answers, since: now };
    this.#reading = reading;
    void answers.finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return answers;
  }
}
