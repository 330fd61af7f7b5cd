import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const CHUNK_BYTES = 2 ** 20;
/** The longest that is put at once. */
const PUT_BYTES_MAX = 1024;

/** Writes text into a gzipped file, numbers without a string each. */
export class GzipWriter {
  /** To put the next bytes in, from `at`. */
  bytes = new Uint8Array(CHUNK_BYTES);
  at = 0;
  readonly #gzip = createGzip({ level: 1, chunkSize: CHUNK_BYTES });
  readonly #written: Promise<void>;
  readonly #digits = new Uint8Array(16);

  constructor(path: string) {
    const file = createWriteStream(path);
    this.#written = finished(file);
    this.#gzip.pipe(file);
  }

  number(number: number): void {
    let rest = number;
    let length = 0;
    do {
      const next = Math.floor(rest / 10);
      this.#digits[length++] = 48 + rest - next * 10;
      rest = next;
    } while (rest > 0);
    while (length > 0) this.bytes[this.at++] = this.#digits[--length] ?? 0;
  }

  byte(byte: number): void {
    this.bytes[this.at++] = byte;
  }

  ascii(text: string): void {
    for (let at = 0; at < text.length; at++) this.bytes[this.at++] = text.charCodeAt(at);
  }

  get full(): boolean {
    return this.at + PUT_BYTES_MAX > CHUNK_BYTES;
  }

  /** To be awaited whenever `full`. */
  async flush(): Promise<void> {
    const chunk = this.bytes.subarray(0, this.at);
    this.bytes = new Uint8Array(CHUNK_BYTES);
    this.at = 0;
    if (this.#gzip.write(chunk)) return;
    await new Promise<void>((resolve) => {
      this.#gzip.once('drain', resolve);
    });
  }

  async close(): Promise<void> {
    await this.flush();
    this.#gzip.end();
    await this.#written;
  }
}
