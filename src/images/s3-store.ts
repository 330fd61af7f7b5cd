import { S3Client } from 'bun';
import type { BlobStore } from './store.ts';

export interface S3Config {
  endpoint: string | undefined;
  region: string | undefined;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Images in an S3-compatible store, under `images/`. */
export class S3Store implements BlobStore {
  readonly #client: S3Client;

  constructor(config: S3Config) {
    const { bucket, accessKeyId, secretAccessKey, endpoint, region } = config;
    this.#client = new S3Client({
      bucket,
      accessKeyId,
      secretAccessKey,
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
    });
  }

  async put(id: string, bytes: Uint8Array, contentType: string): Promise<void> {
    await this.#client.write(keyOf(id), bytes, { type: contentType });
  }

  async get(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const file = this.#client.file(keyOf(id));
    try {
      return await (range ? file.slice(range.start, range.end) : file).bytes();
    } catch (error) {
      if ((error as { code?: string }).code === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#client.delete(keyOf(id));
  }
}

function keyOf(id: string): string {
  return `images/${id}`;
}
