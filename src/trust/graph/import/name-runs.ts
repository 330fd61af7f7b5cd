import { closeSync, openSync } from 'node:fs';
import { compareBytes, FileAppender, readFully } from '../files.ts';
import { NAME_BYTES_MAX } from '../reversed-name.ts';

/*
 * A run is a file of names in ascending order. A record is the length of the name (1 byte), the name, and its id in the
 * graph's file (a double).
 */
const ID_BYTES = 8;
const RECORD_BYTES_MIN = 1 + 1 + ID_BYTES;
const RECORD_BYTES_MAX = 1 + NAME_BYTES_MAX + ID_BYTES;
const BUFFER_BYTES = 2 ** 20;

/**
 * Takes names in any order and writes sorted runs. Names in order, as in public graphs, go straight to the first run;
 * the others ("strays") are collected, sorted and written as further runs.
 */
export class NameRunWriter {
  /** Files written. */
  count = 0;
  readonly #prefix: string;
  readonly #main: FileAppender;
  readonly #last = new Uint8Array(NAME_BYTES_MAX);
  #lastLength = 0;
  readonly #strayBytesMax: number;
  #stray: Uint8Array = new Uint8Array(0);
  #strayStarts: Uint32Array = new Uint32Array(0);
  #strayUsed = 0;
  #strays = 0;

  /** @param prefix of the paths; the number of the run follows @param strayBytes see ImportLimits */
  constructor(prefix: string, strayBytes: number) {
    this.#prefix = prefix;
    this.#main = new FileAppender(this.#nextPath(), BUFFER_BYTES);
    this.#strayBytesMax = Math.max(strayBytes, RECORD_BYTES_MAX);
  }

  /** @param bytes holds the reversed name in normal form at [start, end) */
  add(bytes: Uint8Array, start: number, end: number, id: number): void {
    if (compareBytes(bytes, start, end, this.#last, 0, this.#lastLength) < 0) {
      this.#addStray(bytes, start, end, id);
      return;
    }
    for (let at = start; at < end; at++) this.#last[at - start] = bytes[at] ?? 0;
    this.#lastLength = end - start;
    this.#main.byte(end - start);
    this.#main.bytes(bytes, start, end);
    this.#main.double(id);
  }

  close(): void {
    this.#main.close();
    this.#writeStrays();
  }

  #addStray(bytes: Uint8Array, start: number, end: number, id: number): void {
    if (this.#strayUsed + RECORD_BYTES_MAX > this.#stray.length) {
      if (this.#stray.length < this.#strayBytesMax) this.#growStrays();
      else this.#writeStrays();
    }
    this.#strayStarts[this.#strays++] = this.#strayUsed;
    this.#stray[this.#strayUsed++] = end - start;
    this.#stray.set(bytes.subarray(start, end), this.#strayUsed);
    this.#strayUsed += end - start;
    new DataView(this.#stray.buffer).setFloat64(this.#strayUsed, id, true);
    this.#strayUsed += ID_BYTES;
  }

  /** Grows on demand: a sorted file needs no memory for strays. */
  #growStrays(): void {
    const grown = new Uint8Array(
      Math.min(this.#strayBytesMax, Math.max(this.#stray.length * 2, BUFFER_BYTES)),
    );
    grown.set(this.#stray);
    this.#stray = grown;
    const starts = new Uint32Array(Math.ceil(grown.length / RECORD_BYTES_MIN));
    starts.set(this.#strayStarts);
    this.#strayStarts = starts;
  }

  #writeStrays(): void {
    if (this.#strays === 0) return;
    const stray = this.#stray;
    const starts = this.#strayStarts.subarray(0, this.#strays).sort((a, b) => {
      const aEnd = a + 1 + (stray[a] ?? 0);
      return compareBytes(stray, a + 1, aEnd, stray, b + 1, b + 1 + (stray[b] ?? 0));
    });
    const run = new FileAppender(this.#nextPath(), BUFFER_BYTES);
    for (const start of starts) run.bytes(stray, start, start + 1 + (stray[start] ?? 0) + ID_BYTES);
    run.close();
    this.#strayUsed = 0;
    this.#strays = 0;
  }

  #nextPath(): string {
    return `${this.#prefix}${this.count++}`;
  }
}

/** Reads one run. `next` sets the fields, so that no object is allocated per name. */
export class NameRunReader {
  /** Holds the name at [start, end). */
  readonly bytes = new Uint8Array(BUFFER_BYTES);
  start = 0;
  end = 0;
  id = 0;
  readonly #fd: number;
  readonly #view = new DataView(this.bytes.buffer);
  #position = 0;
  #at = 0;
  #filled = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
  }

  /** False at the end of the run. */
  next(): boolean {
    if (this.#filled - this.#at < RECORD_BYTES_MAX) this.#refill();
    if (this.#at >= this.#filled) return false;
    this.start = this.#at + 1;
    this.end = this.start + (this.bytes[this.#at] ?? 0);
    this.id = this.#view.getFloat64(this.end, true);
    this.#at = this.end + ID_BYTES;
    return true;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #refill(): void {
    this.bytes.copyWithin(0, this.#at, this.#filled);
    this.#filled -= this.#at;
    this.#at = 0;
    const read = readFully(this.#fd, this.bytes.subarray(this.#filled), this.#position);
    this.#position += read;
    this.#filled += read;
  }
}
