import type { StopSignal } from '../../lib/stop-signal.ts';
import { abortFailure, malformedAnswer, readFailure } from './failures.ts';
import { BodyTooLarge, type ByteReader, type WireAnswer } from './http1/index.ts';

/** An answer with its head, from `fetch` or from our own client. */
export type HttpAnswer = Response | WireAnswer;

const MIB = 1024 * 1024;
/** Most bytes of a text answer, whole or streamed. */
export const TEXT_ANSWER_MAX_BYTES = 32 * MIB;
/** Most bytes of an image, and of JSON with an image in it. */
export const IMAGE_ANSWER_MAX_BYTES = 64 * MIB;
/** Most bytes of an answer with embeddings: 2,048 vectors of 3,072 numbers have about 130 MB. */
export const EMBEDDINGS_ANSWER_MAX_BYTES = 160 * MIB;
/** Most bytes that are read of an error body. */
export const ERROR_BODY_MAX_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a whole body. A body of more than `max` bytes closes the connection.
 * @throws ProviderError `failed`, or `timeout` if the signal's deadline passes
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
  const reader = bodyReader(response);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > max) {
      reader.discard();
      throw new BodyTooLarge();
    }
  }
  return Buffer.concat(chunks, length);
}

/** The body, in pieces as they arrive. */
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
 * @throws ProviderError `failed` if it is not JSON in UTF-8 or larger than `max` bytes
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

/** @throws ProviderError `failed`, without any part of the body in its message or cause */
function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw malformedAnswer('it is empty');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformedAnswer('it is not UTF-8');
  }
  return parseJsonText(text);
}

/** @throws ProviderError `failed`, without the parser's own error, which quotes the body */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedAnswer('it is not JSON');
  }
}

/**
 * The body of an error answer as JSON; undefined if it cannot be read, because the status is known anyway.
 * @throws ProviderError only if the caller stops the call
 */
export async function readErrorBody(response: HttpAnswer, signal: StopSignal): Promise<unknown> {
  try {
    return parseJson(await readBytes(response, ERROR_BODY_MAX_BYTES, signal));
  } catch {
    const stopped = signal.aborted ? abortFailure(signal) : undefined;
    // If the deadline passes here, the status still says more than a timeout would.
    if (stopped && stopped.fault !== 'timeout') throw stopped;
    return undefined;
  }
}

/** Discards a body that will not be read, so that its connection does not stay open. */
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
  const header = response.headers.get('content-type') ?? '';
  return header === plainJson.essence ? plainJson : parseContentType(header);
}

function parseContentType(header: string): ContentType {
  const [essence = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  const name = charset?.replaceAll('"', '');
  // ASCII is a subset of UTF-8.
  const isUtf8 = name === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(name);
  return { essence, isUtf8 };
}

/** Small servers send no type; then parsing shows whether it is JSON. */
function isJson(essence: string): boolean {
  return essence === '' || essence === 'application/json' || essence.endsWith('+json');
}
