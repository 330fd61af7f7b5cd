import type { StopSignal } from '../../lib/stop-signal.ts';
import { abortFailure, malformedAnswer, readFailure } from './failures.ts';
import type { WireAnswer } from './http1/exchange.ts';

const MIB = 1024 * 1024;
export const TEXT_ANSWER_MAX_BYTES = 32 * MIB;
/** The most bytes of an image, and of JSON with an image in it. */
export const IMAGE_ANSWER_MAX_BYTES = 64 * MIB;
/** The most bytes of spoken audio. */
export const SPEECH_ANSWER_MAX_BYTES = 64 * MIB;
/** The most bytes of an answer with embeddings: 2,048 vectors of 3,072 numbers have about 130 MB. */
export const EMBEDDINGS_ANSWER_MAX_BYTES = 160 * MIB;
export const ERROR_BODY_MAX_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An answer of `fetch`, in the form of our own client's answers. */
export function answerOf(response: Response): WireAnswer {
  const { ok, status, headers } = response;
  const reader = response.body?.getReader();
  return {
    ok,
    status,
    headers,
    read: async () => (await reader?.read())?.value,
    discard: () => void reader?.cancel().catch(() => undefined),
  };
}

/**
 * Reads a whole body. A body of more than `max` bytes closes the connection.
 * @throws ProviderError `failed`, or `timeout` if the signal's deadline passes
 */
export async function readBytes(
  answer: WireAnswer,
  max: number,
  signal: StopSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let chunk = await answer.read(); chunk; chunk = await answer.read()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > max) {
        answer.discard();
        throw malformedAnswer('it is too large');
      }
      if (answer.isOver) break;
    }
  } catch (error) {
    throw readFailure(error, signal);
  }
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, length);
}

/** Reads a JSON answer. @throws ProviderError `failed` if it is not JSON in UTF-8 or larger than `max` bytes */
export async function readJson(
  answer: WireAnswer,
  max: number,
  signal: StopSignal,
): Promise<unknown> {
  const { essence, isUtf8 } = contentTypeOf(answer);
  // Small servers send no type; then parsing shows whether it is JSON.
  const isJson = essence === '' || essence === plainJson.essence || essence.endsWith('+json');
  if (!isJson || !isUtf8) {
    answer.discard();
    throw malformedAnswer(isUtf8 ? 'it is not JSON' : 'it is not UTF-8');
  }
  return parseJson(await readBytes(answer, max, signal));
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
export async function readErrorBody(answer: WireAnswer, signal: StopSignal): Promise<unknown> {
  try {
    return parseJson(await readBytes(answer, ERROR_BODY_MAX_BYTES, signal));
  } catch {
    const stopped = signal.aborted ? abortFailure(signal) : undefined;
    // If the deadline passes here, the status still says more than a timeout would.
    if (stopped && stopped.fault !== 'timeout') throw stopped;
    return undefined;
  }
}

const plainJson = { essence: 'application/json', isUtf8: true };

export function contentTypeOf(answer: WireAnswer): typeof plainJson {
  const header = answer.headers.get('content-type') ?? '';
  return header === plainJson.essence ? plainJson : parseContentType(header);
}

function parseContentType(header: string): typeof plainJson {
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
