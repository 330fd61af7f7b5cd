/** The thread that parses and checks large bodies. */
import { DomainError, invalidField, messageOf } from '../../lib/errors.ts';
import { sha256Hex, uuidHex } from '../../lib/ids.ts';
import type { PassedTexts } from '../../lib/passed-texts.ts';
import { yieldCores } from '../../lib/yield-cores.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import type { Endpoint } from '../compatible/endpoints.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import { type CreateEvent, readCreateEvent } from '../openai/responses/socket/create-event.ts';
import { WEIGHED_FROM_BYTES } from './budget.ts';
import { parseLargeBody } from './check.ts';
import {
  base64Of,
  decodeAll,
  PASSED_FROM_BYTES,
  passedBytes,
  passedIn,
  withStandIns,
} from './images.ts';
import { parseJsonObject } from './json.ts';
import { scanJson } from './scan.ts';
import type { BodyRequest, EventRequest, ParseAnswer, Parsed, RoomAnswer } from './thread.ts';

declare const self: Worker;

yieldCores();

const endpoints = new Map(
  [...openAiEndpoints, ...anthropicEndpoints].map((endpoint) => [
    endpoint.path as string,
    endpoint,
  ]),
);

const noBytes = new Uint8Array();
/** A large body is kept here until the other thread has made room for its values. */
let inHand: BodyRequest | EventRequest | undefined;
let images: PassedTexts | undefined;

self.addEventListener(
  'message',
  ({ data }: MessageEvent<BodyRequest | EventRequest | RoomAnswer>) => {
    if (typeof data === 'object') inHand = data;
    if (!inHand) return;
    const { length } = inHand.bytes;
    const answer = data === 'drop' ? undefined : answerTo(inHand, data === 'parse');
    if (answer && 'textBytes' in answer) return self.postMessage(answer, []);
    // The bytes and their text are freed before the values are copied for the other thread.
    inHand.bytes = noBytes;
    inHand = images = undefined;
    if (length > WEIGHED_FROM_BYTES) Bun.gc(true);
    if (!answer) return;
    const passed = 'parsed' in answer && 'passed' in answer.parsed && answer.parsed.passed;
    self.postMessage(answer, passed ? [passed.bytes.buffer as ArrayBuffer] : []);
    // Frees the memory of a large body before the next one comes.
    if (length > WEIGHED_FROM_BYTES) Bun.gc(true);
  },
);

/** A list of numbers in the wrong place would have a problem for each of them. */
const WRONG_NUMBERS_MAX = 10_000;
/** This endpoint accepts texts as long lists of token numbers. */
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
function parseFor(
  endpoint: Endpoint,
  bytes: Uint8Array,
  passed: PassedTexts | undefined,
): Omit<Parsed, 'digest'> {
  const value = parseJsonObject(passed ? withStandIns(passed) : bytes);
  endpoint.refuse?.(value);
  if (endpoint.path !== TOKENS_ENDPOINT) refuseNumbers(endpoint.body, value);
  const checked = parseLargeBody(endpoint.body, value) as Record<string, unknown>;
  if (!passed) return { value: checked };
  // Base64 that is not in the place of an image is read, and counts as text.
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
    // The body is refused later, where it becomes a send.
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** @param hasRoom true if the other thread has made room for the values of this body */
function answerTo(request: BodyRequest | EventRequest, hasRoom: boolean): ParseAnswer {
  try {
    if ('eventAt' in request) return { parsed: eventIn(request) };
    if (!hasRoom) {
      const textBytes = scan(request);
      if (textBytes > WEIGHED_FROM_BYTES) return { textBytes };
    }
    return { parsed: bodyIn(request) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failure: messageOf(error) };
    const { code, message, details } = error;
    return { code, message, details };
  }
}

/** Checks the form of a body, and finds its images. @returns the bytes of its text without those of the images */
function scan({ bytes, endpoint }: BodyRequest): number {
  if (endpoint === undefined) scanJson(bytes);
  else images = findImages(bytes);
  return bytes.length - passedBytes(images);
}

function bodyIn({ bytes, endpoint: path, wantsDigest }: BodyRequest): Parsed {
  const digest = wantsDigest ? sha256Hex(bytes) : '';
  if (path === undefined) return { value: parseJsonObject(bytes), digest };
  const endpoint = endpoints.get(path);
  if (!endpoint) throw new Error(`there is no endpoint ${path}`);
  return { ...parseFor(endpoint, bytes, images), digest };
}

function eventIn({ bytes, eventAt }: EventRequest): CreateEvent {
  scanJson(bytes);
  return readCreateEvent(bytes, eventAt);
}
