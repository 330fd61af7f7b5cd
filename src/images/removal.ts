import { queryIn, type Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { BlobStore } from './store.ts';

/** Images that are looked for at a time. */
const PAGE_ROWS = 500;
/**
 * A node that was taken for dead may still be keeping bytes for a message that is closed by now. Longer
 * than that takes; then its own settle, which finds the message closed, has removed them.
 */
const SAVE_MAX_MS = 600_000;

export interface RemovalParts {
  db: Database;
  clock: Clock;
  log: Log;
  blobs: BlobStore;
}

/**
 * Removes bytes that no message has: of images that were erased, and those kept for a message that was
 * closed without them, after a crash. The database knows of both (`images.erased_at`, `image_writes`)
 * until the bytes are gone, so a store that fails, or a process that ends, only delays it. Several nodes may
 * remove the same.
 */
export class ImageRemoval {
  readonly #parts: RemovalParts;
  #sweep: Promise<void> | undefined;

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  /** Removes what of a user's images is erased. Never throws: what its store refuses is left to the sweep. */
  async ofUser(userId: number): Promise<void> {
    try {
      // Ends at the first failure: somebody waits for this.
      await this.#removeDue(userId, (error) => {
        throw error;
      });
    } catch (error) {
      this.#leaveToSweep(error, { user: userId });
    }
  }

  /** Removes bytes that their message did not take. Never throws, like `ofUser`. */
  async discard(id: string): Promise<void> {
    try {
      await this.#parts.blobs.remove(id);
      await this.#forget([id]);
    } catch (error) {
      this.#leaveToSweep(error, {});
    }
  }

  /**
   * Removes all that is due, and tells the log. Called while a sweep of this node runs, it is that one.
   * @throws when the database fails; a store that fails is told in the log
   */
  sweep(): Promise<void> {
    this.#sweep ??= this.#sweepOnce().finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  async #sweepOnce(): Promise<void> {
    const failures: unknown[] = [];
    const removed = await this.#removeDue(undefined, (error) => failures.push(error));
    const { log } = this.#parts;
    if (removed > 0) log.info({ removed }, 'removed images that were erased or never delivered');
    if (failures.length === 0) return;
    log.error(
      { err: failures[0], failed: failures.length },
      'images can not be removed from their store; the next sweep tries again',
    );
  }

  /** @returns how many, without those that another node removed at the same time */
  async #removeDue(
    userId: number | undefined,
    onFailure: (error: unknown) => void,
  ): Promise<number> {
    let removed = 0;
    for (let after = ''; ;) {
      const page = await this.#due(userId, after);
      const gone: string[] = [];
      for (const id of page) {
        try {
          await this.#parts.blobs.remove(id);
          gone.push(id);
        } catch (error) {
          onFailure(error);
        }
      }
      removed += await this.#forget(gone);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return removed;
      after = last;
    }
  }

  async #due(userId: number | undefined, after: string): Promise<string[]> {
    const { db, clock } = this.#parts;
    const mine = userId === undefined ? '' : 'AND user_id = $3';
    const rows = await db.query<{ id: string }>(
      `SELECT id FROM images WHERE erased_at IS NOT NULL AND id > $1 ${mine}
       UNION ALL
       SELECT id FROM image_writes w WHERE id > $1 AND created_at <= $2 ${mine}
         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.user_id = w.user_id
           AND m.room_id = w.room_id AND m.id = w.message_id AND m.state = 'pending')
       ORDER BY id LIMIT ${PAGE_ROWS}`,
      [after, clock.now() - SAVE_MAX_MS, ...(userId === undefined ? [] : [userId])],
    );
    return rows.map(({ id }) => id);
  }

  /** Only once the bytes are gone. @returns how many were known until now */
  async #forget(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    return this.#parts.db.transaction(async (tx) => {
      const images = await queryIn(
        tx,
        'DELETE FROM images WHERE erased_at IS NOT NULL AND id IN (LIST) RETURNING id',
        ids,
      );
      const writes = await queryIn(
        tx,
        'DELETE FROM image_writes WHERE id IN (LIST) RETURNING id',
        ids,
      );
      return images.length + writes.length;
    });
  }

  #leaveToSweep(error: unknown, about: object): void {
    this.#parts.log.error(
      { err: error, ...about },
      'images can not be removed from their store now; a sweep removes them later',
    );
  }
}
