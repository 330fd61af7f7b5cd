/** Reading and writing at positions, and durable writes. */
import { closeSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads until `into` is full or the file ends. Returns how many bytes were read. */
export function readFully(fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(fd, into, done, into.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Writes a new file from these parts and returns when it is on disk. */
export function writeFile(path: string, ...parts: readonly Uint8Array[]): void {
  const fd = openSync(path, 'w');
  try {
    let position = 0;
    for (const part of parts) {
      writeFully(fd, part, position);
      position += part.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const CHECKSUM_CHUNK_BYTES = 2 ** 20;

/** In hexadecimal, as `sha256sum` prints it. */
export function sha256OfFile(path: string): string {
  const hasher = new Bun.CryptoHasher('sha256');
  const fd = openSync(path, 'r');
  try {
    const chunk = new Uint8Array(CHECKSUM_CHUNK_BYTES);
    for (let position = 0; ; position += chunk.length) {
      const read = readFully(fd, chunk, position);
      hasher.update(chunk.subarray(0, read));
      if (read < chunk.length) return hasher.digest('hex');
    }
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a typed array, for writing it in its memory layout (little-endian). */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Compares bytes [a, aEnd) of one array with [b, bEnd) of another: negative, 0 or positive. */
export function compareBytes(
  left: Uint8Array,
  a: number,
  aEnd: number,
  right: Uint8Array,
  b: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - a, bEnd - b);
  for (let at = 0; at < shared; at++) {
    const difference = (left[a + at] ?? 0) - (right[b + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return aEnd - a - (bEnd - b);
}

/** Returns when the file or directory is on disk. */
export function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Replaces a small file atomically: readers see the old text or the new one, also after a crash. When it returns, the
 * new text is on disk. The file has the usual permissions, since an import and the server may run as different users. A
 * failure may leave `NAME.part`, which the next call replaces. Blocks, unlike `lib/durable-file.ts`.
 */
export function replaceFile(path: string, text: string): void {
  writeFile(`${path}.part`, new TextEncoder().encode(text));
  renameSync(`${path}.part`, path);
  sync(dirname(path));
}

/** Buffers many small appends to a new file. */
export class FileAppender {
  size = 0;
  readonly #fd: number;
  readonly #buffer: Uint8Array;
  readonly #view: DataView;
  #used = 0;

  /** @param bufferBytes larger than any single append */
  constructor(path: string, bufferBytes: number) {
    this.#fd = openSync(path, 'w');
    this.#buffer = new Uint8Array(bufferBytes);
    this.#view = new DataView(this.#buffer.buffer);
  }

  byte(value: number): void {
    if (this.#used === this.#buffer.length) this.#flush();
    this.#buffer[this.#used++] = value;
    this.size++;
  }

  /** Appends bytes [start, end) of `from`. */
  bytes(from: Uint8Array, start: number, end: number): void {
    if (this.#used + end - start > this.#buffer.length) this.#flush();
    for (let at = start; at < end; at++) this.#buffer[this.#used++] = from[at] ?? 0;
    this.size += end - start;
  }

  double(value: number): void {
    if (this.#used + 8 > this.#buffer.length) this.#flush();
    this.#view.setFloat64(this.#used, value, true);
    this.#used += 8;
    this.size += 8;
  }

  /** Closes the file and returns when it is on disk. */
  close(): void {
    this.#flush();
    fsyncSync(this.#fd);
    closeSync(this.#fd);
  }

  #flush(): void {
    writeFully(this.#fd, this.#buffer.subarray(0, this.#used), this.size - this.#used);
    this.#used = 0;
  }
}
