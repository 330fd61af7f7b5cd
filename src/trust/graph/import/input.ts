import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../lib/errors.ts';
import { remoteBytes } from './remote.ts';

/** Bytes inflated at once, and read at once from a file. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Bytes inflated between two collections. The decompressor makes a new buffer for every chunk, and left to
 * itself the runtime lets hundreds of MiB of them pile up; a collection takes a few milliseconds.
 */
const GARBAGE_BYTES_MAX = 64 * 2 ** 20;

/** U+FEFF in UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A text that is not a file: what an own crawl knows, say. */
export interface TextInput {
  /** Stands in messages and in the manifest. */
  label: string;
  /** Changes when the text does: a killed import goes on only with the text that it began with. */
  version: string;
  text(): AsyncIterable<Uint8Array>;
}

/** A path, an http or https address, or a text; gzipped or plain. */
export type GraphInput = string | TextInput;

export interface OpenInput {
  /** Plain text, inflated where it was gzipped. */
  text: AsyncIterable<Uint8Array>;
  /** Bytes as they lie on the disk or the server; undefined when unknown. */
  total(): number | undefined;
  /** Bytes of that read so far. */
  read(): number;
}

/** What an input is called in messages and in the manifest. */
export function labelOf(input: GraphInput): string {
  return typeof input === 'string' ? input : input.label;
}

/** What tells this input from another, or from itself after a change. */
export async function versionOf(input: GraphInput): Promise<string> {
  if (typeof input !== 'string') return `${input.label} ${input.version}`;
  if (isRemote(input)) return input;
  const { size, mtimeMs } = await statOf(input);
  return `${input} ${size} ${mtimeMs}`;
}

/** Opens an input once; breaking off the iteration closes it. */
export async function openInput(input: GraphInput, signal: AbortSignal): Promise<OpenInput> {
  let read = 0;
  let total: number | undefined;
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      read += chunk.length;
      yield chunk;
    }
  }
  let bytes: AsyncIterable<Uint8Array>;
  if (typeof input !== 'string') bytes = input.text();
  else if (isRemote(input)) {
    bytes = remoteBytes(input, signal, (size) => {
      total = size;
    });
  } else {
    total = (await statOf(input)).size;
    bytes = createReadStream(input, { highWaterMark: CHUNK_BYTES });
  }
  const text = withoutMark(inflated(counted(bytes), labelOf(input)));
  return { text, total: () => total, read: () => read };
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

/** Drops the byte order mark that some editors begin a text with: it would spoil the first line. */
async function* withoutMark(text: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = await headOf(text, BYTE_ORDER_MARK.length);
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => head[index] === byte);
  yield* startingWith(isMarked ? head.subarray(BYTE_ORDER_MARK.length) : head, text);
}

/** The first chunks, so many that they hold this many bytes, or all there are. */
async function headOf(bytes: AsyncGenerator<Uint8Array>, length: number): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

/** Looks at the first two bytes, since a name does not tell whether a server has inflated already. */
async function* inflated(
  bytes: AsyncGenerator<Uint8Array>,
  label: string,
): AsyncGenerator<Uint8Array> {
  const head = await headOf(bytes, 2);
  const whole = startingWith(head, bytes);
  if (head[0] !== 0x1f || head[1] !== 0x8b) yield* whole;
  else yield* gunzipped(whole, label);
}

async function* startingWith(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Inflates on a thread of the runtime's pool, beside the thread that reads and the one that parses. */
async function* gunzipped(
  bytes: AsyncGenerator<Uint8Array>,
  label: string,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK_BYTES });
  // A failure of either end destroys the other with it, and shows where the output is read.
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
