import type { Database } from '../db/index.ts';
import { randomHex, sha256Hex } from '../lib/ids.ts';
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
  readonly #db: Database;
  readonly #store: BlobStore;
  readonly #publicUrl: () => string;

  /** @param publicUrl without a trailing slash; asked late, since the port may be chosen at start */
  constructor(db: Database, store: BlobStore, publicUrl: () => string) {
    this.#db = db;
    this.#store = store;
    this.#publicUrl = publicUrl;
  }

  /** Keeps the bytes. The row follows with the settle of the message that the image answers. */
  async save(bytes: Uint8Array, contentType: string): Promise<StoredImage> {
    const ending = endings[contentType];
    if (ending === undefined) throw new Error(`no image of type ${contentType} is kept`);
    const id = `${randomHex(ID_BYTES)}.${ending}`;
    await this.#store.put(id, bytes, contentType);
    return { id, contentType, size: bytes.length, sha256: sha256Hex(bytes) };
  }

  url(id: string): string {
    return `${this.#publicUrl()}/images/${id}`;
  }

  /** The facts of an image that is charged and not erased. */
  async find(id: string): Promise<StoredImage | undefined> {
    if (!idPattern.test(id)) return undefined;
    const [row] = await this.#db.query<StoredImage>(
      `SELECT id, content_type AS "contentType", size, sha256 FROM images
       WHERE id = $1 AND erased_at IS NULL`,
      [id],
    );
    return row;
  }

  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    return this.#store.get(id, range);
  }

  async remove(id: string): Promise<void> {
    await this.#store.remove(id);
  }
}
