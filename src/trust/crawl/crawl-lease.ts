import { nextNumber, type Tx } from '../../db/index.ts';
import { Silence } from '../../lib/silence.ts';
import type { CrawlParts } from './options.ts';

interface CrawlLeaseParts extends CrawlParts {
  /** A name that no other running process has. */
  name: string;
}

/**
 * A node's claim on the sites that it reads. It lasts while the node's beat in the database increases. A
 * process that starts under the name of an earlier one takes over its sites at once.
 */
export class CrawlLease {
  readonly #parts: CrawlLeaseParts;
  readonly #silence: Silence;
  /** Changes if the node was taken for dead. */
  id = 0;
  #timer: Timer | undefined;
  #round: Promise<void> = Promise.resolve();

  private constructor(parts: CrawlLeaseParts) {
    this.#parts = parts;
    this.#silence = new Silence(parts.clock, parts.limits.silenceMs);
  }

  /** Releases the sites of an earlier process of this name, and starts the beat. */
  static async start(parts: CrawlLeaseParts): Promise<CrawlLease> {
    const lease = new CrawlLease(parts);
    lease.id = await parts.db.transaction(async (tx) => {
      const text = 'SELECT id FROM crawl_nodes WHERE name = $1';
      const former = await tx.query<{ id: number }>(text, [parts.name]);
      for (const { id } of former) await freeSites(tx, id);
      return lease.#register(tx);
    });
    lease.#timer = setInterval(() => void lease.beat(), parts.limits.beatMs);
    return lease;
  }

  /**
   * One beat, made by the timer: renews this lease and releases the sites of dead nodes. Never throws: the crawl itself
   * shows a failure of the database, and the next beat is another attempt.
   */
  beat(): Promise<void> {
    this.#round = this.#round.then(() => this.#beatOnce()).catch(() => undefined);
    return this.#round;
  }

  /** Ends the lease; the node's sites wait for other nodes. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#parts.db.transaction((tx) => freeSites(tx, this.id));
  }

  async #beatOnce(): Promise<void> {
    const { db } = this.#parts;
    this.id = await db.transaction(async (tx) => {
      const text = 'UPDATE crawl_nodes SET beat = beat + 1 WHERE id = $1 RETURNING id';
      const [own] = await tx.query(text, [this.id]);
      // If its row is gone, this node was taken for dead: it has lost its sites, and can't store them any more.
      return own ? this.id : this.#register(tx);
    });
    const nodes = await db.query<{ id: number; beat: number }>('SELECT id, beat FROM crawl_nodes');
    for (const node of nodes) {
      if (node.id === this.id || !this.#silence.isSilent(node)) continue;
      this.#silence.forget(node.id);
      await db.transaction((tx) => freeSites(tx, node.id));
    }
  }

  async #register(tx: Tx): Promise<number> {
    const id = await nextNumber(tx, 'crawl_nodes');
    const text = 'INSERT INTO crawl_nodes (id, name, beat) VALUES ($1, $2, 0)';
    await tx.query(text, [id, this.#parts.name]);
    return id;
  }
}

/**
 * Deletes a node and returns its sites to the queue; stored pages stay. The node is deleted first: a claim locks its
 * row, so none can slip in between.
 */
async function freeSites(tx: Tx, nodeId: number): Promise<void> {
  await tx.query('DELETE FROM crawl_nodes WHERE id = $1', [nodeId]);
  await tx.query(
    `UPDATE crawl_sites SET state = 'waiting', node_id = NULL
     WHERE state = 'claimed' AND node_id = $1`,
    [nodeId],
  );
}
