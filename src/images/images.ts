import { prepareInsert, queryIn, tables, type Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { ImageStoreUnavailableError } from '../lib/errors.ts';
import { randomHex, sha256Hex } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { BlobStore } from './stores.ts';

export interface StoredImage {
  /** 48 hex digits and an extension: it can't be guessed, which matters since the URL needs no token. */
  id: string;
  contentType: string;
  /** The size in bytes. */
  size: number;
  sha256: string;
}

export interface ImageStoreParts {
  db: Database;
  clock: Clock;
  log: Log;
  blobs: BlobStore;
  /**
   * Without a trailing slash; if it is empty, URLs are paths. A function, since the port may be chosen when the server
   * starts.
   */
  publicUrl: () => string;
  /** True if this URL is not a setting, but only the address on which this process listens. */
  isUrlGuessed?: boolean;
}

const PAGE_ROWS = 500;
/**
 * A node that was declared dead may still be storing bytes for a message that was closed meanwhile. After this time it
 * has finished, and its own settle, which found the message closed, has removed the bytes.
 */
const SAVE_MAX_MS = 600_000;

const ID_BYTES = 24;
const idPattern = /^[0-9a-f]{48}\.(png|jpg|webp|gif|mp3|ogg|aac|flac|wav|pcm)$/;

/** A host name or an address, possibly with a port. */
const hostPattern = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const endings: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  // Speech is stored in the same way.
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
  'audio/pcm': 'pcm',
};

const insertWrite = prepareInsert(tables.image_writes);

export function newImageId(contentType: string): string {
  const ending = endings[contentType];
  if (ending === undefined) throw new Error(`files of the type ${contentType} are not supported`);
  return `${randomHex(ID_BYTES)}.${ending}`;
}

/**
 * Images that were generated or sent: a store has their bytes; once their message is charged, the database has their
 * facts.
 */
export class ImageStore {
  readonly #parts: ImageStoreParts;
  readonly removal: ImageRemoval;

  constructor(parts: ImageStoreParts) {
    this.#parts = parts;
    this.removal = new ImageRemoval(parts);
  }

  /**
   * Stores the bytes of an image for a message that is being answered. The settle of the message adds the row; until
   * then `image_writes` records the bytes, so that a sweep finds them after a crash.
   * @throws ImageStoreUnavailableError, which is logged
   */
  async save(
    { userId, roomId, messageId }: { userId: number; roomId: string; messageId: number },
    bytes: Uint8Array,
    contentType: string,
    id = newImageId(contentType),
  ): Promise<StoredImage> {
    const { db, clock, blobs } = this.#parts;
    const owner = { user_id: userId, room_id: roomId, message_id: messageId };
    await db.transaction((tx) => insertWrite(tx, [{ id, ...owner, created_at: clock.now() }]));
    const about = { user: userId, message: messageId };
    await this.#logged('an image could not be stored', blobs.put(id, bytes, contentType), about);
    return { id, contentType, size: bytes.length, sha256: sha256Hex(bytes) };
  }

  url(id: string): string {
    return `${this.#parts.publicUrl()}/images/${id}`;
  }

  /**
   * The URL of a file in an answer to its owner: if no public URL is set, at the host that the caller used, since the
   * address on which this process listens may not be reachable.
   * @param host of the request's header; it is only trusted for the answer to that request
   */
  urlFor(url: string, host: string | null): string {
    if (!this.#parts.isUrlGuessed || host === null || !hostPattern.test(host)) return url;
    return `http://${host}${url.slice(url.lastIndexOf('/images/'))}`;
  }

  /** The facts of an image that was charged and not erased. */
  async find(id: string): Promise<StoredImage | undefined> {
    if (!idPattern.test(id)) return undefined;
    const [row] = await this.#parts.db.query<StoredImage>(
      `SELECT id, content_type AS "contentType", size, sha256 FROM images
       WHERE id = $1 AND erased_at IS NULL`,
      [id],
    );
    return row;
  }

  /** @throws ImageStoreUnavailableError, which is logged */
  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    return this.#logged('an image could not be read', this.#parts.blobs.get(id, range));
  }

  /** The bytes of a file by its URL. @throws if they are gone; ImageStoreUnavailableError, which is logged */
  async bytesAt(url: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.read(url.slice(url.lastIndexOf('/') + 1));
    if (!bytes) throw new Error(`the bytes of ${url} are gone`);
    return bytes as Uint8Array<ArrayBuffer>;
  }

  /** Logs that the store is unavailable: callers get only a 503, operators find the cause in the log. */
  async #logged<T>(message: string, work: Promise<T>, about: object = {}): Promise<T> {
    try {
      return await work;
    } catch (err) {
      if (err instanceof ImageStoreUnavailableError)
        this.#parts.log.error({ err, ...about }, message);
      throw err;
    }
  }
}

/**
 * Removes the bytes of images that were erased, and of images that belong to no message because of a crash. The
 * database records both (`images.erased_at`, `image_writes`) until the bytes are gone, so a failed store or a crash
 * only delays the removal. Several nodes may remove the same images.
 */
class ImageRemoval {
  readonly #parts: ImageStoreParts;
  #sweep: Promise<void> | undefined;

  constructor(parts: ImageStoreParts) {
    this.#parts = parts;
  }

  /** Removes the erased images of a user. Never throws: a sweep removes what the store refuses to remove now. */
  async ofUser(userId: number): Promise<void> {
    try {
      // Stops at the first failure, since a caller waits.
      await this.#removeDue(userId, (error) => {
        throw error;
      });
    } catch (error) {
      this.#leaveToSweep(error, { user: userId });
    }
  }

  /** Removes an image that its message did not keep. Never throws, like `ofUser`. */
  async discard(id: string): Promise<void> {
    try {
      await this.#parts.blobs.remove(id);
      await this.#forget([id]);
    } catch (error) {
      this.#leaveToSweep(error, {});
    }
  }

  /**
   * Removes everything that is due, and logs the number. If this node already runs a sweep, this waits for it.
   * @throws if the database fails; a failure of the store is logged
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
      'images could not be removed from their store; the next sweep repeats it',
    );
  }

  /** @returns the number, not counting those that another node removed at the same time */
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

  /** Deletes the records of images. Only for images whose bytes are gone. @returns the number of records */
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
      'images could not be removed from their store; a sweep will remove them',
    );
  }
}
