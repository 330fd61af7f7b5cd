import { prepareInsert, tables, type Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { ImageStoreUnavailableError } from '../lib/errors.ts';
import { randomHex, sha256Hex } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { ImageRemoval } from './removal.ts';
import type { BlobStore } from './store.ts';

/** The facts of an image. */
export interface StoredImage {
  /** 48 hex digits and an ending: it can't be guessed, since the URL needs no token. */
  id: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** The message that an image answers. */
export interface ImageOwner {
  userId: number;
  roomId: string;
  messageId: number;
}

export interface ImageStoreParts {
  db: Database;
  clock: Clock;
  log: Log;
  blobs: BlobStore;
  /** Without a trailing slash. A function, since the port may be chosen when the server starts. */
  publicUrl: () => string;
}

const ID_BYTES = 24;
const idPattern = /^[0-9a-f]{48}\.(png|jpg|webp|gif)$/;

const endings: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

const insertWrite = prepareInsert(tables.image_writes);

/** Generated images: their bytes are in a store, their facts in the database once their message is charged. */
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
  async save(owner: ImageOwner, bytes: Uint8Array, contentType: string): Promise<StoredImage> {
    const ending = endings[contentType];
    if (ending === undefined)
      throw new Error(`images of the type ${contentType} are not supported`);
    const id = `${randomHex(ID_BYTES)}.${ending}`;
    const { db, clock, blobs } = this.#parts;
    await db.transaction((tx) =>
      insertWrite(tx, [
        {
          id,
          user_id: owner.userId,
          room_id: owner.roomId,
          message_id: owner.messageId,
          created_at: clock.now(),
        },
      ]),
    );
    await this.#logged('an image could not be stored', blobs.put(id, bytes, contentType));
    return { id, contentType, size: bytes.length, sha256: sha256Hex(bytes) };
  }

  url(id: string): string {
    return `${this.#parts.publicUrl()}/images/${id}`;
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

  /** Logs that the store is unavailable: callers get only a 503, operators find the cause in the log. */
  async #logged<T>(message: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (err) {
      if (err instanceof ImageStoreUnavailableError) this.#parts.log.error({ err }, message);
      throw err;
    }
  }
}
