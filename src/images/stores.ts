import { S3Client } from 'bun';
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../db/index.ts';
import { replaceFile, syncDirectory } from '../lib/durable-file.ts';
import { ImageStoreUnavailableError, messageOf, type Trouble, troubles } from '../lib/errors.ts';
import { untilAborted } from '../lib/until-aborted.ts';

/** Stores the bytes of generated images. The configuration chooses an implementation. */
export interface BlobStore {
  /** The bytes are durable when it returns. */
  put(id: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** @returns undefined if the image does not exist @param range bytes [start, end), to read only a part */
  get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>;
  /** The bytes are gone for good when it returns. Removing an image that does not exist is not an error. */
  remove(id: string): Promise<void>;
}

/** Stores images as rows, so that every node of a PostgreSQL installation can serve them. */
export class DatabaseStore implements BlobStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('INSERT INTO image_bytes (id, data) VALUES ($1, $2)', [id, bytes]),
    );
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const part = 'substr(data, CAST($2 AS INTEGER), CAST($3 AS INTEGER)) AS data';
    const [row] = await this.#db.query<{ data: Uint8Array }>(
      `SELECT ${range ? part : 'data'} FROM image_bytes WHERE id = $1`,
      range ? [id, range.start + 1, range.end - range.start] : [id],
    );
    return row && new Uint8Array(row.data);
  }

  async remove(id: string): Promise<void> {
    await this.#db.transaction((tx) => tx.query('DELETE FROM image_bytes WHERE id = $1', [id]));
  }
}

/** The names of the files are the URLs of the images, so nobody else may list them. */
const OWN_ONLY = 0o700;
const OTHERS = 0o077;

/** Stores each image as a file, in one of 256 folders by the first two digits of its id. */
export class DiskStore implements BlobStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Closes the directory to other users, if it exists: an earlier version made it readable. */
  async closeToOthers(): Promise<void> {
    const found = await stat(this.#dir).catch(unlessMissing);
    if (found && (found.mode & OTHERS) !== 0) await chmod(this.#dir, OWN_ONLY);
  }

  put(id: string, bytes: Uint8Array): Promise<void> {
    return onDisk(() => this.#put(id, bytes));
  }

  async #put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(id);
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true, mode: OWN_ONLY });
    // After a crash, an incomplete image has its temporary name, by which `remove` finds it.
    await replaceFile(path, bytes, { mode: 0o600, part: partOf(path) });
    // The name of a new folder is durable only once its parent is flushed.
    await syncDirectory(this.#dir);
    if (made !== undefined) await syncDirectory(dirname(made));
  }

  get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    return onDisk(async () => {
      const file = Bun.file(this.#path(id));
      if (!(await file.exists())) return undefined;
      return (range ? file.slice(range.start, range.end) : file).bytes();
    });
  }

  remove(id: string): Promise<void> {
    return onDisk(async () => {
      const path = this.#path(id);
      await rm(partOf(path), { force: true });
      await rm(path, { force: true });
      // The caller deletes the last record of the image next, so it must not come back after a power failure.
      await syncDirectory(dirname(path)).catch(unlessMissing);
    });
  }

  #path(id: string): string {
    return join(this.#dir, id.slice(0, 2), id);
  }
}

/** The troubles that file system errors show; all others are `io_error`. */
const DISK_TROUBLES: Readonly<Record<string, Trouble>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
};

/** @throws ImageStoreUnavailableError */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = DISK_TROUBLES[codeOf(error) ?? ''] ?? 'io_error';
    const message = `the folder of images fails (${messageOf(error)}); ${troubles[reason]}`;
    throw new ImageStoreUnavailableError(message, { reason, cause: error });
  }
}

function unlessMissing(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOENT') throw error;
}

function partOf(path: string): string {
  return `${path}.part`;
}

/**
 * The longest time that the store may take for one image. The runtime's client would wait for minutes, while the user's
 * money is held. It is less than the minute after which the server closes a silent connection, so that the client gets
 * an answer.
 */
const PATIENCE_MS = 30_000;

export interface S3Config {
  endpoint: string | undefined;
  region: string | undefined;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The longest time that the store may take for one image; 30 s by default. */
  patienceMs?: number;
}

/**
 * Stores images in an S3-compatible store, under `images/`. If the store fails or does not answer in time, all methods
 * throw an `ImageStoreUnavailableError`, which says what the operator should check.
 */
export class S3Store implements BlobStore {
  readonly #client: S3Client;
  readonly #patienceMs: number;

  constructor(config: S3Config) {
    const { bucket, accessKeyId, secretAccessKey, endpoint, region } = config;
    this.#patienceMs = config.patienceMs ?? PATIENCE_MS;
    this.#client = new S3Client({
      bucket,
      accessKeyId,
      secretAccessKey,
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
    });
  }

  async put(id: string, bytes: Uint8Array, contentType: string): Promise<void> {
    await this.#inTime(this.#client.write(keyOf(id), bytes, { type: contentType }));
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const file = this.#client.file(keyOf(id));
    const reading = (range ? file.slice(range.start, range.end) : file).bytes();
    return this.#inTime<Uint8Array | undefined>(
      reading.catch((error: unknown) => {
        if (codeOf(error) === 'NoSuchKey') return undefined;
        throw error;
      }),
    );
  }

  async remove(id: string): Promise<void> {
    await this.#inTime(this.#client.delete(keyOf(id)));
  }

  /** An operation that timed out may still succeed; the sweep of unfinished writes removes bytes that it stored. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const patience = AbortSignal.timeout(this.#patienceMs);
    const silence = (): Error => new Error(`no answer within ${this.#patienceMs / 1000} s`);
    try {
      return await untilAborted(work, patience, silence);
    } catch (error) {
      const why = [codeOf(error), messageOf(error)].filter((word) => word !== undefined).join(': ');
      throw new ImageStoreUnavailableError(
        `the image store failed (${why}): check that it runs, and that ZASTAVA_IMAGES_S3_… name the store, its bucket, and keys that may read, write and delete there`,
        { cause: error },
      );
    }
  }
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function keyOf(id: string): string {
  return `images/${id}`;
}
