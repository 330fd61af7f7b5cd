import { S3Client } from 'bun';
import { untilAborted } from '../lib/until-aborted.ts';
import type { BlobStore } from './store.ts';

/**
 * How long the store may take for one image: the runtime's client waits for minutes, and meanwhile a user's money is
 * held. Below the minute after which a connection of ours that is silent is closed, so that there is an answer.
 */
const PATIENCE_MS = 30_000;

export interface S3Config {
  endpoint: string | undefined;
  region: string | undefined;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** How long the store may take for one image; 30 s unless told. */
  patienceMs?: number;
}

/** Images in an S3-compatible store, under `images/`. A store that does not answer in time has failed. */
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
    try {
      return await this.#inTime((range ? file.slice(range.start, range.end) : file).bytes());
    } catch (error) {
      if ((error as { code?: string }).code === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#inTime(this.#client.delete(keyOf(id)));
  }

  /** What is given up may still come about: bytes that were kept after all go with the sweep of unfinished writes. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    const patience = AbortSignal.timeout(this.#patienceMs);
    return untilAborted(
      work,
      patience,
      () => new Error(`the store of images did not answer within ${this.#patienceMs / 1000} s`),
    );
  }
}

function keyOf(id: string): string {
  return `images/${id}`;
}
