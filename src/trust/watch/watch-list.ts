import { prepareInsert, tables, type Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Seen } from './seen.ts';

/** For this many milliseconds, a site is left to the process that reads it. */
const CLAIM_MS = 10 * 60_000;
/** After this many milliseconds, a site that nobody watches any more is deleted. */
const RETENTION_MS = 90 * 24 * 3_600_000;

/** A site that this process reads now. */
export interface Claimed {
  domain: string;
  /** Undefined before the first reading. */
  seen: Seen | undefined;
  /** An event that has not been delivered yet, as JSON. */
  pending: string | undefined;
}

interface Row {
  domain: string;
  due_at: number;
  seen: string | null;
  pending: string | null;
}

const addSites = prepareInsert(tables.trust_watch, { onConflict: 'ON CONFLICT DO NOTHING' });

/** When watched sites are read next, and what was last seen of them. Several processes may share it. */
export class WatchList {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Adds sites that are not known yet, to be read at once.
   * @returns when each is to be read next
   */
  async open(domains: readonly string[]): Promise<Map<string, number>> {
    const rows = domains.map((domain) => ({ domain, due_at: 0, seen: null, pending: null }));
    return this.#db.transaction(async (tx) => {
      await tx.query('DELETE FROM trust_watch WHERE due_at > 0 AND due_at < $1', [
        this.#clock.now() - RETENTION_MS,
      ]);
      await addSites(tx, rows);
      const all = await tx.query<Row>('SELECT domain, due_at FROM trust_watch');
      const wanted = new Set(domains);
      return new Map(
        all.flatMap(({ domain, due_at }) => (wanted.has(domain) ? [[domain, due_at]] : [])),
      );
    });
  }

  /** Takes a site that is due. @returns when it is now due, if another process took it first */
  async claim(domain: string, dueAt: number): Promise<Claimed | { dueAt: number }> {
    const until = this.#clock.now() + CLAIM_MS;
    return this.#db.transaction(async (tx) => {
      const [row] = await tx.query<Row>(
        `UPDATE trust_watch SET due_at = $1 WHERE domain = $2 AND due_at = $3
         RETURNING domain, due_at, seen, pending`,
        [until, domain, dueAt],
      );
      if (row) {
        const seen = row.seen === null ? undefined : (JSON.parse(row.seen) as Seen);
        return { domain, seen, pending: row.pending ?? undefined };
      }
      const [other] = await tx.query<Row>('SELECT due_at FROM trust_watch WHERE domain = $1', [
        domain,
      ]);
      return { dueAt: other?.due_at ?? until };
    });
  }

  /** Stores what was seen, and the event that reports it, until it is delivered. */
  store(domain: string, seen: Seen, pending: string | null, dueAt: number): Promise<unknown> {
    return this.#db.transaction((tx) =>
      tx.query('UPDATE trust_watch SET seen = $1, pending = $2, due_at = $3 WHERE domain = $4', [
        JSON.stringify(seen),
        pending,
        dueAt,
        domain,
      ]),
    );
  }

  /** @param isDelivered whether the event of the site needs no further delivery */
  putBack(domain: string, dueAt: number, isDelivered: boolean): Promise<unknown> {
    const text = isDelivered
      ? 'UPDATE trust_watch SET due_at = $1, pending = NULL WHERE domain = $2'
      : 'UPDATE trust_watch SET due_at = $1 WHERE domain = $2';
    return this.#db.transaction((tx) => tx.query(text, [dueAt, domain]));
  }
}
