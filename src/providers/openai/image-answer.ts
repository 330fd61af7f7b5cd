import { incomprehensible } from '../shared/failures.ts';
import { decodeImage } from '../shared/image-answer.ts';
import { asArray, asRecord } from '../shared/json.ts';
import type { Usage } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { readUsage } from './usage.ts';

/** An image as the body carries it: itself, or where it lies. */
export interface ToldImage {
  usage: Usage;
  image: { bytes: Uint8Array } | { url: string };
}

/**
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `failed` when the body is not what the dialect says
 */
export function readImageBody(body: unknown, secret: string | undefined): ToldImage {
  const answer = asRecord(body);
  if (!answer) throw incomprehensible('it is no object');
  const error = errorInAnswer(answer, secret);
  if (error) throw error;
  const usage = readUsage(answer['usage']);
  const first = asRecord(asArray(answer['data'])?.[0]);
  const base64 = first?.['b64_json'];
  const url = first?.['url'];
  if (typeof base64 === 'string') return { usage, image: { bytes: decodeImage(base64, usage) } };
  if (typeof url === 'string') return { usage, image: { url } };
  throw incomprehensible('it has no image', { usage });
}
