import type { StopSignal } from '../../lib/stop-signal.ts';
import { abortFailure, malformedAnswer, readFailure } from './failures.ts';
import { BodyTooLarge, type ByteReader, type WireAnswer } from './http1/index.ts';

/** An answer whose head is there, of `fetch` or of our own client. */
export type HttpAnswer = Response | WireAnswer;

const MIB = 1024 * 1024;
/** Most bytes of a text answer, streamed or not. */
export const TEXT_ANSWER_MAX_BYTES = 32 * MIB;
/** Most bytes of an image, and of the JSON that carries one. */
export const IMAGE_ANSWER_MAX_BYTES = 64 * MIB;
/** Most bytes of an answer with embeddings: 2,048 vectors of 3,072 numbers take about 130 MB. */
export const EMBEDDINGS_ANSWER_MAX_BYTES = 160 * MIB;
/** Most bytes of an error that are read to find out why. */
export const ERROR_BODY_MAX_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a whole body of at most `max` bytes; a larger one is cut off, the connection with it.
 * @throws ProviderError `failed`, or `timeout` when the signal's deadline passes while reading
 */
export function readBytes(
  response: HttpAnswer,
  max: number,
  signal: StopSignal,
): Promise<Uint8Array> {
  const reading = response instanceof Response ? readResponse(response, max) : response.bytes(max);
  return reading.catch((error: unknown) => {
    if (error instanceof BodyTooLarge) throw malformedAnswer('it is too large');
    throw readFailure(error, signal);
  });
}

async function readResponse(response: Response, max: number): Promise<Uint8Array> {
  const declared = response.headers.get('content-length');
  // A compressed body is larger than it declares; only a plain one is bounded by its header.
  if (declared !== null && response.headers.get('content-encoding') === null) {
    if (Number(declared) <= max) return response.bytes();
    await response.body?.cancel();
    throw malformedAnswer('it is too large');
  }
  return readChunks(response, max);
}

async function readChunks(response: Response, max: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, length);
    length += value.length;
    if (length > max) {
      await reader.cancel();
      throw malformedAnswer('it is too large');
    }
    chunks.push(value);
  }
}

/** The body as it comes. */
export function bodyReader(response: HttpAnswer): ByteReader {
  if (!(response instanceof Response)) return response;
  const reader = response.body?.getReader();
  return {
    read: async () => (await reader?.read())?.value,
    discard: () => void reader?.cancel().catch(() => undefined),
  };
}

/**
 * Reads a JSON answer.
 * @throws ProviderError `failed` when it is not JSON in UTF-8 or larger than `max` bytes
 */
export async function readJson(
  response: HttpAnswer,
  max: number,
  signal: StopSignal,
): Promise<unknown> {
  const type = contentTypeOf(response);
  if (!isJson(type.essence) || !type.isUtf8) {
    await discard(response);
    throw malformedAnswer(type.isUtf8 ? 'it is not JSON' : 'it is not UTF-8');
  }
  return parseJson(await readBytes(response, max, signal));
}

/** @throws ProviderError `failed`; its message and cause have nothing of the body in them */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw malformedAnswer('it is empty');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformedAnswer('it is not UTF-8');
  }
  return parseJsonText(text);
}

/** @throws ProviderError `failed`; the parser's own error is left out, since it quotes the body */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedAnswer('it is not JSON');
  }
}

/**
 * The body of an error answer as JSON, or undefined: why a call failed must not depend on it.
 * @throws ProviderError only when the caller stops the call
 */
export async function readErrorBody(response: HttpAnswer, signal: StopSignal): Promise<unknown> {
  try {
    return parseJson(await readBytes(response, ERROR_BODY_MAX_BYTES, signal));
  } catch {
    const stopped = signal.aborted ? abortFailure(signal) : undefined;
    // The status is known by then and says more than that the deadline passed over the body.
    if (stopped && stopped.fault !== 'timeout') throw stopped;
    return undefined;
  }
}

/** Gives up a body that nobody will read, so that its connection does not stay open. */
export async function discard(response: HttpAnswer): Promise<void> {
  if (!(response instanceof Response)) return response.discard();
  await response.body?.cancel().catch(() => undefined);
}

interface ContentType {
  essence: string;
  isUtf8: boolean;
}

const plainJson: ContentType = { essence: 'application/json', isUtf8: true };

export function contentTypeOf(response: HttpAnswer): ContentType {
  const told = response.headers.get('content-type') ?? '';
  return told === plainJson.essence ? plainJson : parseContentType(told);
}

function parseContentType(told: string): ContentType {
  const [essence = '', ...parameters] = told
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  const name = charset?.replaceAll('"', '');
  // ASCII is UTF-8 as well.
  const isUtf8 = name === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(name);
  return { essence, isUtf8 };
}

/** Small servers leave the type out; whether it really is JSON shows when it is parsed. */
function isJson(essence: string): boolean {
  return essence === '' || essence === 'application/json' || essence.endsWith('+json');
}
