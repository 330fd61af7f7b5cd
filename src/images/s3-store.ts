import { S3Client } from 'bun';
import { ImageStoreUnavailableError, messageOf } from '../lib/errors.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import type { BlobStore } from './images.ts';

/**
 * The most time that the store may take for one image. The runtime's client waits for minutes, while the user's money is
 * held. Less than the minute after which the server closes a silent connection, so that the client gets an answer.
 */
const PATIENCE_MS = 30_000;

export interface S3Config {
  endpoint: string | undefined;
  region: string | undefined;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The most time that the store may take for one image; 30 s by default. */
  patienceMs?: number;
}

/**
 * Stores images in an S3-compatible store, under `images/`. All methods throw an `ImageStoreUnavailableError`, which says
 * what the operator should check, if the store fails or does not answer in time.
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
