/** The thread that parses and checks large bodies. */
import { DomainError, invalidField, messageOf } from '../../lib/errors.ts';
import { sha256Hex, uuidHex } from '../../lib/ids.ts';
import type { PassedTexts } from '../../lib/passed-texts.ts';
import { yieldCores } from '../../lib/yield-cores.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import type { Endpoint } from '../compatible/endpoints.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import { type CreateEvent, readCreateEvent } from '../openai/responses/socket/create-event.ts';
import { parseLargeBody } from './check.ts';
import { base64Of, decodeAll, PASSED_FROM_BYTES, passedIn, withStandIns } from './images.ts';
import { parseJsonObject } from './json.ts';
import { scanJson } from './scan.ts';
import type { BodyRequest, EventRequest, ParseAnswer, Parsed } from './thread.ts';

declare const self: Worker;

yieldCores();

const endpoints = new Map(
  [...openAiEndpoints, ...anthropicEndpoints].map((endpoint) => [
    endpoint.path as string,
    endpoint,
  ]),
);

self.addEventListener('message', ({ data }: MessageEvent<BodyRequest | EventRequest>) => {
  const { length } = data.bytes;
  const answer = answerTo(data);
  if (length > COLLECTED_FROM_BYTES) {
    // The bytes and their text go before the values are copied for the other thread.
    data.bytes = noBytes;
    Bun.gc(true);
  }
  const passed = 'parsed' in answer && 'passed' in answer.parsed && answer.parsed.passed;
  self.postMessage(answer, passed ? [passed.bytes.buffer as ArrayBuffer] : []);
  // Frees what a large body took before the next one comes.
  if (length > COLLECTED_FROM_BYTES) Bun.gc(true);
});

const COLLECTED_FROM_BYTES = 1024 * 1024;
const noBytes = new Uint8Array();
/** A list of numbers where another thing is wanted would have a problem for each of them. */
const WRONG_NUMBERS_MAX = 10_000;
/** Takes texts as long lists of token numbers. */
const TOKENS_ENDPOINT = '/v1/embeddings';

function refuseNumbers({ shape }: { shape: object }, body: Record<string, unknown>): void {
  for (const field of Object.keys(shape)) {
    if (numbersIn(body[field]) > WRONG_NUMBERS_MAX) {
      throw invalidField(field, `must not contain ${WRONG_NUMBERS_MAX} numbers or more`);
    }
  }
}

function numbersIn(value: unknown): number {
  if (typeof value === 'number') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let numbers = 0;
  for (const member of members) numbers += numbersIn(member);
  return numbers;
}

/** Parses a body and checks it against the schema of its endpoint. */
function parseFor(endpoint: Endpoint, bytes: Uint8Array): Omit<Parsed, 'digest'> {
  const passed = findImages(bytes);
  const value = parseJsonObject(passed ? withStandIns(passed) : bytes);
  endpoint.refuse?.(value);
  if (endpoint.path !== TOKENS_ENDPOINT) refuseNumbers(endpoint.body, value);
  const checked = parseLargeBody(endpoint.body, value) as Record<string, unknown>;
  if (!passed) return { value: checked };
  // What stands in another place than that of an image is read, and counts as text.
  if (passedIn(passed, imagesOf(endpoint, checked)) === passed.places.length) {
    return { value: checked, passed };
  }
  decodeAll(passed, checked);
  return { value: checked };
}

/** Long texts of base64, which may be images. */
function findImages(bytes: Uint8Array): PassedTexts | undefined {
  const places: (readonly [number, number])[] = [];
  scanJson(bytes, (begin, end) => {
    const place = end - begin >= PASSED_FROM_BYTES ? base64Of(bytes, begin, end) : undefined;
    if (place) places.push(place);
  });
  return places.length === 0 ? undefined : { mark: `image-${uuidHex()}`, bytes, places };
}

function imagesOf(endpoint: Endpoint, body: Record<string, unknown>): string[] {
  try {
    return endpoint.unreadImages?.(body) ?? [];
  } catch (error) {
    // The body is refused where it is made into a send.
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function answerTo(request: BodyRequest | EventRequest): ParseAnswer {
  try {
    return { parsed: 'eventAt' in request ? eventIn(request) : bodyIn(request) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failure: messageOf(error) };
    const { code, message, details } = error;
    return { code, message, details };
  }
}

function bodyIn({ bytes, endpoint: path, wantsDigest }: BodyRequest): Parsed {
  const digest = wantsDigest ? sha256Hex(bytes) : '';
  if (path === undefined) {
    scanJson(bytes);
    return { value: parseJsonObject(bytes), digest };
  }
  const endpoint = endpoints.get(path);
  if (!endpoint) throw new Error(`there is no endpoint ${path}`);
  return { ...parseFor(endpoint, bytes), digest };
}

function eventIn({ bytes, eventAt }: EventRequest): CreateEvent {
  scanJson(bytes);
  return readCreateEvent(bytes, eventAt);
}
