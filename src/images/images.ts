import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { ImageStoreUnavailableError } from '../lib/errors.ts';
import { randomHex, sha256Hex } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { ImageRemoval } from './removal.ts';
import type { BlobStore } from './store.ts';

/** An image as its message knows it. */
export interface StoredImage {
  /** 48 hex digits and an ending: unguessable, since the URL is readable without a token. */
  id: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** The message whose answer an image is. */
export interface ImageOwner {
  userId: number;
  roomId: string;
  messageId: number;
}

export interface ImageStoreParts {
  db: Database;
  clock: Clock;
  log: Log;
  /** Where the bytes lie. */
  blobs: BlobStore;
  /** Without a trailing slash; asked late, since the port may be chosen at start. */
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

/** Generated images: bytes in a store, facts in the database once their message is charged. */
export class ImageStore {
  readonly #parts: ImageStoreParts;
  readonly removal: ImageRemoval;

  constructor(parts: ImageStoreParts) {
    this.#parts = parts;
    this.removal = new ImageRemoval(parts);
  }

  /**
   * Keeps the bytes for a message that is being answered. The row follows with its settle; until then
   * `image_writes` tells of the bytes, so that a crash leaves none that nobody knows.
   * @throws ImageStoreUnavailableError told in the log
   */
  async save(owner: ImageOwner, bytes: Uint8Array, contentType: string): Promise<StoredImage> {
    const ending = endings[contentType];
    if (ending === undefined) throw new Error(`no image of type ${contentType} is kept`);
    const id = `${randomHex(ID_BYTES)}.${ending}`;
    const { db, clock, blobs } = this.#parts;
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO image_writes (id, user_id, room_id, message_id, created_at)
         VALUES ($1, $2, $3, $4, $5)`,
        [id, owner.userId, owner.roomId, owner.messageId, clock.now()],
      ),
    );
    await this.#told('an image can not be kept', blobs.put(id, bytes, contentType));
    return { id, contentType, size: bytes.length, sha256: sha256Hex(bytes) };
  }

  url(id: string): string {
    return `${this.#parts.publicUrl()}/images/${id}`;
  }

  /** The facts of an image that is charged and not erased. */
  async find(id: string): Promise<StoredImage | undefined> {
    if (!idPattern.test(id)) return undefined;
    const [row] = await this.#parts.db.query<StoredImage>(
      `SELECT id, content_type AS "contentType", size, sha256 FROM images
       WHERE id = $1 AND erased_at IS NULL`,
      [id],
    );
    return row;
  }

  /** @throws ImageStoreUnavailableError told in the log */
  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    return this.#told('an image can not be read', this.#parts.blobs.get(id, range));
  }

  /** A caller hears only that the store is away: what an operator can do about it stands in the log. */
  async #told<T>(message: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (err) {
      if (err instanceof ImageStoreUnavailableError) this.#parts.log.error({ err }, message);
      throw err;
    }
  }
}
