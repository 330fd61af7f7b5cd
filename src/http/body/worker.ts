/** The thread that parses and checks large bodies. */
import { DomainError, messageOf } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/ids.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import { parseBody } from './check.ts';
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
  self.postMessage(answerTo(data), []);
});

function answerTo({ bytes, endpoint: path, wantsDigest }: ParseRequest): ParseAnswer {
  try {
    const digest = wantsDigest ? sha256Hex(bytes) : '';
    scanJson(bytes);
    const value = parseJsonObject(bytes);
    if (path === undefined) return { parsed: { value, digest } };
    const endpoint = endpoints.get(path);
    if (!endpoint) throw new Error(`there is no endpoint ${path}`);
    endpoint.refuse?.(value);
    const checked = parseBody(endpoint.body, value) as Record<string, unknown>;
    return { parsed: { value: checked, digest } };
  } catch (error) {
    if (!(error instanceof DomainError)) return { failure: messageOf(error) };
    const { code, message, details } = error;
    return { code, message, details };
  }
}
