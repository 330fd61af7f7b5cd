import { nextNumber, type Database, type Tx } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CrawlLimits } from './limits.ts';

export interface CrawlLeaseParts {
  db: Database;
  clock: Clock;
  /** What only one living process calls itself. */
  name: string;
  limits: Pick<CrawlLimits, 'beatMs' | 'silenceMs'>;
}

interface Seen {
  beat: number;
  since: number;
}

/**
 * A node's claim on the sites that it reads. It lasts while the node's beat in the database goes up;
 * others measure the silence on their own monotonic clocks, so that no jump of a wall clock ends it.
 * A process that starts under a former one's name takes its sites over at once.
 */
export class CrawlLease {
  readonly #parts: CrawlLeaseParts;
  readonly #seen = new Map<number, Seen>();
  #id = 0;
  #timer: Timer | undefined;
  #round: Promise<void> = Promise.resolve();

  private constructor(parts: CrawlLeaseParts) {
    this.#parts = parts;
  }

  /** Frees what a former process of this name held, and begins to beat. */
  static async start(parts: CrawlLeaseParts): Promise<CrawlLease> {
    const lease = new CrawlLease(parts);
    lease.#id = await parts.db.transaction(async (tx) => {
      const former = await tx.query<{ id: number }>('SELECT id FROM crawl_nodes WHERE name = $1', [
        parts.name,
      ]);
      for (const { id } of former) await freeSites(tx, id);
      return lease.#register(tx);
    });
    lease.#timer = setInterval(() => void lease.beat(), parts.limits.beatMs);
    return lease;
  }

  get id(): number {
    return this.#id;
  }

  /**
   * One round, which the timer makes: says that this node lives, and frees the sites of those that do not.
   * Never throws: a database that is gone shows in the crawl itself, and the next beat tries again.
   */
  beat(): Promise<void> {
    this.#round = this.#round.then(() => this.#beatOnce()).catch(() => undefined);
    return this.#round;
  }

  /** Ends the claim: what this node still held waits for others. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#parts.db.transaction((tx) => freeSites(tx, this.#id));
  }

  async #beatOnce(): Promise<void> {
    const { db } = this.#parts;
    this.#id = await db.transaction(async (tx) => {
      const [own] = await tx.query(
        'UPDATE crawl_nodes SET beat = beat + 1 WHERE id = $1 RETURNING id',
        [this.#id],
      );
      // Taken for dead by another node: what it held is gone, and stores of it are refused.
      return own ? this.#id : this.#register(tx);
    });
    const nodes = await db.query<{ id: number; beat: number }>('SELECT id, beat FROM crawl_nodes');
    for (const node of nodes) {
      if (node.id === this.#id || !this.#isSilent(node)) continue;
      this.#seen.delete(node.id);
      await db.transaction((tx) => freeSites(tx, node.id));
    }
  }

  async #register(tx: Tx): Promise<number> {
    const id = await nextNumber(tx, 'crawl_nodes');
    await tx.query('INSERT INTO crawl_nodes (id, name, beat, started_at) VALUES ($1, $2, 0, $3)', [
      id,
      this.#parts.name,
      Math.floor(this.#parts.clock.now()),
    ]);
    return id;
  }

  #isSilent({ id, beat }: { id: number; beat: number }): boolean {
    const now = this.#parts.clock.monotonic();
    const seen = this.#seen.get(id);
    if (!seen || seen.beat !== beat) {
      this.#seen.set(id, { beat, since: now });
      return false;
    }
    return now - seen.since >= this.#parts.limits.silenceMs;
  }
}

/**
 * Forgets a node; its sites wait again. Pages that it stored stay stored. The node first: whoever claims
 * locks its row, so that no claim slips in between.
 */
async function freeSites(tx: Tx, nodeId: number): Promise<void> {
  await tx.query('DELETE FROM crawl_nodes WHERE id = $1', [nodeId]);
  await tx.query(
    `UPDATE crawl_sites SET state = 'waiting', node_id = NULL
     WHERE state = 'claimed' AND node_id = $1`,
    [nodeId],
  );
}
