import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../lib/errors.ts';
import type { ProgressMeter } from './progress.ts';
import { fetched, remoteBytes } from './remote.ts';

/** Bytes decompressed at once, and read from a file at once. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Bytes decompressed between two garbage collections. The decompressor allocates a buffer for each chunk, and the
 * runtime would accumulate hundreds of MiB of them; a collection takes a few milliseconds.
 */
const GARBAGE_BYTES_MAX = 64 * 2 ** 20;

/** U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A text that is not a file, such as the own crawl. */
export interface TextInput {
  /** For messages and the manifest. */
  label: string;
  /** Changes when the text changes: a killed import is resumed only with the same text. */
  version: string;
  /** False: messages must not quote its lines. */
  isQuotable?: boolean;
  /** @param onSize called when the size in bytes is known */
  text(signal: AbortSignal, onSize: (bytes: number) => void): AsyncIterable<Uint8Array>;
}

/** A path, an http or https URL, or a text; gzipped or plain. */
export type GraphInput = string | TextInput;

/** The name of an input in messages and in the manifest. */
export function labelOf(input: GraphInput): string {
  return typeof input === 'string' ? input : input.label;
}

/** Whether messages may quote the lines of an input. */
export function isQuotable(input: GraphInput): boolean {
  return typeof input === 'string' || (input.isQuotable ?? true);
}

/** Identifies an input and its content. */
export async function versionOf(input: GraphInput): Promise<string> {
  if (typeof input !== 'string') return `${input.label} ${input.version}`;
  if (isRemote(input)) return input;
  const { size, mtimeMs } = await statOf(input);
  return `${input} ${size} ${mtimeMs}`;
}

/**
 * The decompressed text of an input; ending the iteration closes it.
 * @param progress counts compressed bytes; its total stays undefined if the size is unknown
 */
export async function* textOf(
  input: GraphInput,
  signal: AbortSignal,
  progress: ProgressMeter,
): AsyncGenerator<Uint8Array> {
  const bytes = counted(await bytesOf(input, signal, progress), signal, progress);
  // Decides by the first two bytes, since a server may have decompressed a file called `.gz`.
  const head = await headOf(bytes, 2);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const whole = startingWith(head, bytes);
  const text = isGzip ? gunzipped(whole, labelOf(input)) : whole;
  // Drops the mark that some editors write; it would make the first line malformed.
  const start = await headOf(text, BYTE_ORDER_MARK.length);
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => start[index] === byte);
  yield* startingWith(isMarked ? start.subarray(BYTE_ORDER_MARK.length) : start, text);
}

async function bytesOf(
  input: GraphInput,
  signal: AbortSignal,
  progress: ProgressMeter,
): Promise<AsyncIterable<Uint8Array>> {
  const onSize = (size: number) => (progress.total = size);
  if (typeof input !== 'string') return input.text(signal, onSize);
  if (isRemote(input)) return remoteBytes(fetched(input), signal, onSize);
  progress.total = (await statOf(input)).size;
  return createReadStream(input, { highWaterMark: CHUNK_BYTES });
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  progress: ProgressMeter,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    progress.done += chunk.length;
    yield chunk;
  }
}

function isRemote(input: string): boolean {
  return /^https?:\/\//i.test(input);
}

async function statOf(path: string): Promise<{ size: number; mtimeMs: number }> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new DomainError('not_found', `${path} can't be read: give a file or an http(s) address`, {
      cause: error,
    });
  });
  if (!stats.isDirectory()) return stats;
  throw new DomainError('invalid_request', `${path} is a directory: give a file`);
}

/** The first chunks, up to at least this many bytes. */
async function headOf(bytes: AsyncGenerator<Uint8Array>, length: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* startingWith(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Decompresses on a thread of the runtime's pool, in addition to the threads that read and parse. */
async function* gunzipped(
  bytes: AsyncGenerator<Uint8Array>,
  label: string,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK_BYTES });
  // A failure of either stream destroys the other, and surfaces where the output is read.
  pipeline(source, gunzip, () => undefined);
  try {
    let garbage = 0;
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      yield chunk;
      garbage += chunk.length;
      if (garbage < GARBAGE_BYTES_MAX) continue;
      Bun.gc(true);
      garbage = 0;
    }
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw cause;
    throw new DomainError('invalid_request', `${label} is damaged or cut short: fetch it again`, {
      cause,
    });
  } finally {
    source.destroy();
  }
}
