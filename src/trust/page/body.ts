import { Readable, pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { PinnedAnswer } from '../../lib/network/pinned-request.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';

/** Counts of a body, updated while it is read. */
export interface BodyMeter {
  wireBytes: number;
  decodedBytes: number;
  /** The body is longer than the limits. */
  truncated: boolean;
}

/**
 * The decoded bytes of an answer, at most `decodedBytesMax` from at most `wireBytesMax`. At most one content encoding is
 * decoded.
 * @throws FetchFailure `encoding`, `bomb`, `too_slow`, `incomplete`, or what ended the fetch
 */
export async function* readBody(
  exchange: PinnedAnswer,
  limits: FetchLimits,
  meter: BodyMeter,
): AsyncGenerator<Uint8Array> {
  const wire = readWire(exchange, limits, meter);
  for await (const chunk of decode(wire, encodingOf(exchange), limits, meter)) {
    const kept = fitting(chunk, limits.decodedBytesMax - meter.decodedBytes, meter);
    meter.decodedBytes += kept.length;
    if (kept.length > 0) yield kept;
    if (kept !== chunk) return;
  }
}

function fitting(chunk: Uint8Array, room: number, meter: BodyMeter): Uint8Array {
  if (chunk.length <= room) return chunk;
  meter.truncated = true;
  return chunk.subarray(0, room);
}

/** The bytes as received; fails when they come too slowly. */
async function* readWire(
  exchange: PinnedAnswer,
  limits: FetchLimits,
  meter: BodyMeter,
): AsyncGenerator<Uint8Array> {
  let before = 0;
  const watch = setInterval(() => {
    if (meter.wireBytes - before < limits.throughputBytesMin) {
      exchange.fail(new FetchFailure('too_slow', `${meter.wireBytes - before} bytes`));
    }
    before = meter.wireBytes;
  }, limits.throughputWindowMs);
  try {
    for await (const chunk of exchange.response as AsyncIterable<Uint8Array>) {
      const kept = fitting(chunk, limits.wireBytesMax - meter.wireBytes, meter);
      meter.wireBytes += kept.length;
      if (kept.length > 0) yield kept;
      if (meter.truncated) return;
    }
  } catch (cause) {
    throw cause instanceof FetchFailure
      ? cause
      : new FetchFailure('incomplete', 'the body broke off', { cause });
  } finally {
    clearInterval(watch);
  }
}

type Encoding = 'identity' | 'gzip' | 'deflate' | 'br';

function encodingOf({ response }: PinnedAnswer): Encoding {
  const name = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return 'identity';
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'deflate' || name === 'br') return name;
  // Nested encodings are refused too: they multiply how far a small body can grow.
  throw new FetchFailure('encoding', name.slice(0, 50));
}

async function* decode(
  wire: AsyncGenerator<Uint8Array>,
  encoding: Encoding,
  limits: FetchLimits,
  meter: BodyMeter,
): AsyncGenerator<Uint8Array> {
  if (encoding === 'identity') {
    yield* wire;
    return;
  }
  const first = await wire.next();
  if (first.done) return;
  const decoder = decoderFor(encoding, first.value);
  const source = Readable.from(followedBy(first.value, wire), { objectMode: false });
  // Failures of either stream show where the decoder is read.
  const piped = pipeline(source, decoder, () => {});
  let decoded = 0;
  try {
    for await (const chunk of piped as AsyncIterable<Uint8Array>) {
      decoded += chunk.length;
      // Only what the decoder has consumed counts: more of the body may be waiting to be decoded.
      const ratio = decoded / Math.max(1, decoder.bytesWritten);
      if (decoded > limits.ratioFromBytes && ratio > limits.ratioMax) {
        throw new FetchFailure('bomb', `${Math.round(ratio)} to 1`);
      }
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof FetchFailure) throw cause;
    // The decoder fails on a body that was cut at our own limit.
    if (!meter.truncated) throw new FetchFailure('encoding', encoding, { cause });
  } finally {
    decoder.destroy();
  }
}

function decoderFor(encoding: Exclude<Encoding, 'identity'>, head: Uint8Array): Decoder {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  // "deflate" means zlib, but some servers send raw deflate. The first two bytes of zlib are a multiple of 31.
  const [first = 0, second = 0] = head;
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return isZlib ? createInflate() : createInflateRaw();
}

type Decoder = Transform & { bytesWritten: number };

async function* followedBy(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
