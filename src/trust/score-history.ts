import { GroupCommit, prepareInsert, tables, type Database, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { expiringCache } from '../lib/lru-cache.ts';
import type { HistoryCause, HistoryPoint } from './record.ts';

const CACHED_MAX = 20_000;
/** Milliseconds until a point that another node added becomes visible. */
const CACHE_MS = 60_000;
/** The most points in one transaction, and of points that wait for the next one. */
const BATCH_MAX = 128;
const QUEUE_MAX = 100_000;

export interface ScorePoint extends Omit<HistoryPoint, 'date' | 'cause'> {
  /** When that release was ranked. */
  rankedAt: number;
}

interface PointRow extends Omit<HistoryPoint, 'date' | 'xt'> {
  number: number;
  at: number;
  xtTenths: number;
}

/**
 * The score of each site over time. A point is added when the score changes, and is never edited. Points are
 * group-committed, since after a new release nearly every check adds one.
 */
export class ScoreHistory {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #group: GroupCommit<NewPoint, boolean>;
  readonly #cache;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = expiringCache<string, PointRow[]>(CACHED_MAX, CACHE_MS, clock);
    const limits = { batchMax: BATCH_MAX, queueMax: QUEUE_MAX };
    this.#group = new GroupCommit(db, insertPoints, limits);
  }

  /** Oldest first. */
  async points(domain: string): Promise<HistoryPoint[]> {
    return (await this.#rows(domain)).map(toPoint);
  }

  /** Adds a point if the score differs from the last one. @returns all points, oldest first */
  async record(domain: string, score: ScorePoint): Promise<HistoryPoint[]> {
    const rows = await this.#rows(domain);
    const last = rows.at(-1);
    const { xt, spam, formula, release } = score;
    const xtTenths = Math.round(xt * 10);
    if (last?.xtTenths === xtTenths && last.spam === spam) return rows.map(toPoint);
    const number = (last?.number ?? 0) + 1;
    const cause = causeOf(last, score);
    const row = { number, at: this.#clock.now(), xtTenths, spam, formula, release, cause };
    if (!(await this.#group.submit({ domain, ...row }))) {
      // Another check has added a point with this number; it is read instead.
      this.#cache.delete(domain);
      return this.points(domain);
    }
    const all = [...rows, row];
    this.#cache.set(domain, all);
    return all.map(toPoint);
  }

  async #rows(domain: string): Promise<PointRow[]> {
    const cached = this.#cache.get(domain);
    if (cached) return cached;
    const rows = await this.#db.query<PointRow>(
      `SELECT number, at, xt_tenths AS "xtTenths", spam, formula, release_name AS release, cause
       FROM trust_history WHERE domain = $1 ORDER BY number`,
      [domain],
    );
    this.#cache.set(domain, rows);
    return rows;
  }
}

type NewPoint = PointRow & { domain: string };

const addPoints = prepareInsert(tables.trust_history, {
  onConflict: 'ON CONFLICT DO NOTHING',
  returning: ['domain', 'number'],
});

/** @returns for each point whether it was added; false if another point has its number */
async function insertPoints(tx: Tx, points: NewPoint[]): Promise<boolean[]> {
  const rows = points.map(({ xtTenths, release, ...row }) => {
    return { ...row, xt_tenths: xtTenths, release_name: release };
  });
  const inserted = await addPoints(tx, rows);
  const added = new Set(inserted.map(({ domain, number }) => `${number} ${domain}`));
  // If a batch contains the same point twice, the first one was added.
  return points.map(({ domain, number }) => added.delete(`${number} ${domain}`));
}

/**
 * If both the formula and the release are new, the cause is the formula, which changes every score. A release that was
 * ranked again since then, for example with other seeds, counts as a new one.
 */
function causeOf(last: PointRow | undefined, score: ScorePoint): HistoryCause {
  if (!last) return 'first';
  if (last.formula !== score.formula) return 'formula';
  const isRankedSince = last.release !== score.release || score.rankedAt > last.at;
  return isRankedSince ? 'release' : 'page';
}

function toPoint(row: PointRow): HistoryPoint {
  const { spam, formula, release, cause } = row;
  const date = new Date(row.at).toISOString().slice(0, 10);
  return { date, xt: row.xtTenths / 10, spam, formula, release, cause };
}
