import { writeSetting, type Database, type OpenedDatabase } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  DatabaseUnavailableError,
  messageOf,
  troubles,
  UnavailableError,
  type Trouble,
} from '../../lib/errors.ts';
import { randomHex } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { Outage } from '../../lib/outage.ts';
import { endsWithin } from '../../lib/within.ts';

/** `/readyz` follows the database within a second: the sums of these times stay below it. */
const ANSWER_MAX_MS = 900;
const PROBE_EVERY_MS = 400;
/** After a failure, a probe that takes longer confirms it. */
const PROBE_SILENT_MS = 400;
/** The most probes that wait for an answer at the same time. */
const PROBES_MAX = 12;
/** About as much as a large send writes: on a disk that is nearly full, a single row still fits. */
const PROBE_BYTES = 32 * 1024;
const PROBE_NAME = 'write_probe';
/** The time between two log lines about failures that were not an outage. */
const PASSING_MS = 60_000;

export interface DatabaseHealthParts {
  db: OpenedDatabase;
  clock: Clock;
  log: Log;
  /** For tests; `PROBE_SILENT_MS` by default. */
  silentMs?: number;
}

/**
 * Watches whether the database reads and writes, for readiness and the log. After a failure of any part of the gateway,
 * test writes show whether it was an outage, and when it has ended. The log has one line when it begins and one when it
 * ends, and nothing else needs to log it. While nothing fails, there are no test writes.
 */
export class DatabaseHealth {
  readonly #parts: DatabaseHealthParts;
  readonly #outage: Outage;
  #reason: Trouble = 'unreachable';
  /** The cause of the outage when it began. */
  #first: Trouble = 'unreachable';
  /** Failures since probing began, and failures that were not an outage and are not in the log yet. */
  #failures = 0;
  #passing = 0;
  #passingLoggedAt = -Infinity;
  /** Set while probing. */
  #timer: Timer | undefined;
  #doubt: Timer | undefined;
  #probes = 0;
  #stopped = false;
  #reading: { answers: Promise<boolean>; since: number } | undefined;

  constructor(parts: DatabaseHealthParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
    parts.db.watch((error) => this.#suspect(error));
  }

  get isOut(): boolean {
    return this.#outage.lasts;
  }

  /** What is wrong with the database; undefined if it takes writes and answers. Resolves within a second. */
  async trouble(): Promise<Trouble | undefined> {
    if (this.#outage.lasts) return this.#reason;
    const answers = this.#answers();
    if (!(await endsWithin(answers, ANSWER_MAX_MS))) {
      this.#suspect(new DatabaseUnavailableError('a query had no answer', { reason: 'silent' }));
      return 'silent';
    }
    return (await answers) ? undefined : this.#reason;
  }

  stop(): void {
    this.#stopped = true;
    this.#endProbing();
  }

  #suspect(error: DatabaseUnavailableError): void {
    this.#failures++;
    if (this.#timer !== undefined || this.#stopped) return;
    const { silentMs = PROBE_SILENT_MS } = this.#parts;
    this.#reason = error.reason;
    this.#timer = setInterval(() => void this.#probe(error), PROBE_EVERY_MS);
    this.#doubt = setTimeout(() => this.#begins(error), silentMs);
    void this.#probe(error);
  }

  /** @param cause the first failure */
  async #probe(cause: DatabaseUnavailableError): Promise<void> {
    if (this.#probes >= PROBES_MAX) return;
    this.#probes++;
    try {
      await this.#parts.db.probe(writeAndDelete);
      if (this.#timer !== undefined) this.#works(cause);
    } catch (error) {
      if (this.#timer !== undefined) this.#begins(error);
    } finally {
      this.#probes--;
    }
  }

  #begins(error: unknown): void {
    this.#reason = error instanceof UnavailableError ? error.reason : 'io_error';
    if (!this.#outage.begin()) return;
    this.#first = this.#reason;
    const facts = { reason: this.#reason, why: messageOf(error) };
    this.#parts.log.error(
      facts,
      `database outage: requests get 503 until it works again; ${troubles[this.#reason]}`,
    );
  }

  #works(cause: DatabaseUnavailableError): void {
    const { log, clock } = this.#parts;
    const failures = this.#failures;
    this.#endProbing();
    const seconds = this.#outage.end();
    if (seconds !== undefined) {
      log.warn({ reason: this.#first, seconds, failures }, 'database outage over');
      return;
    }
    this.#passing += failures;
    if (clock.monotonic() - this.#passingLoggedAt < PASSING_MS) return;
    this.#passingLoggedAt = clock.monotonic();
    const facts = { reason: cause.reason, why: messageOf(cause), failures: this.#passing };
    this.#passing = 0;
    log.warn(facts, 'the database failed, but works');
  }

  #endProbing(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#doubt);
    this.#timer = undefined;
    this.#failures = 0;
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

/** In two transactions: one that writes and deletes would never reach the disk. */
async function writeAndDelete(transaction: Database['transaction']): Promise<void> {
  await transaction((tx) => writeSetting(tx, PROBE_NAME, randomHex(PROBE_BYTES)));
  await transaction((tx) => tx.query('DELETE FROM settings WHERE name = $1', [PROBE_NAME]));
}
