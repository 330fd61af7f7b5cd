/** The thread that parses and checks large bodies. */
import { DomainError, invalidField, messageOf } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/ids.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import { parseLargeBody } from './check.ts';
import { parseJsonObject } from './json.ts';
import { scanJson } from './scan.ts';
import type { ParseAnswer, ParseRequest } from './thread.ts';

declare const self: Worker;

const endpoints = new Map(
  [...openAiEndpoints, ...anthropicEndpoints].map((endpoint) => [
    endpoint.path as string,
    endpoint,
  ]),
);

self.addEventListener('message', ({ data }: MessageEvent<ParseRequest>) => {
  const { length } = data.bytes;
  self.postMessage(answerTo(data), []);
  // Frees what a large body took before the next one comes.
  if (length > COLLECTED_FROM_BYTES) Bun.gc(true);
});

const COLLECTED_FROM_BYTES = 1024 * 1024;
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

function answerTo({ bytes, endpoint: path, wantsDigest }: ParseRequest): ParseAnswer {
  try {
    const digest = wantsDigest ? sha256Hex(bytes) : '';
    scanJson(bytes);
    const value = parseJsonObject(bytes);
    if (path === undefined) return { parsed: { value, digest } };
    const endpoint = endpoints.get(path);
    if (!endpoint) throw new Error(`there is no endpoint ${path}`);
    endpoint.refuse?.(value);
    if (path !== TOKENS_ENDPOINT) refuseNumbers(endpoint.body, value);
    const checked = parseLargeBody(endpoint.body, value) as Record<string, unknown>;
    return { parsed: { value: checked, digest } };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failure: messageOf(error) };
    const { code, message, details } = error;
    return { code, message, details };
  }
}
