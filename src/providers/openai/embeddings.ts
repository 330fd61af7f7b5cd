import { incomprehensible } from '../shared/failures.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { asVector } from '../shared/vectors.ts';
import type { EmbeddingAnswer, EmbeddingRequest } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { readUsage } from './usage.ts';

/** The body of `POST /embeddings`. Fields that are undefined leave no trace in JSON. */
export function embeddingBody(request: EmbeddingRequest): Record<string, unknown> {
  const { model, input, dimensions, user } = request;
  return { model, input, encoding_format: 'float', dimensions, user };
}

/**
 * @param count how many texts were sent
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `failed` when the body has not one vector for each text
 */
export function embeddingAnswer(
  body: unknown,
  count: number,
  secret: string | undefined,
): EmbeddingAnswer {
  const answer = asRecord(body);
  if (!answer) throw incomprehensible('it is no object');
  const error = errorInAnswer(answer, secret);
  if (error) throw error;
  const usage = readUsage(answer['usage']);
  const data = asArray(answer['data']);
  if (data?.length !== count) throw incomprehensible('it lacks vectors', { usage });
  const vectors: number[][] = Array.from({ length: count }, () => []);
  for (const [position, value] of data.entries()) {
    const item = asRecord(value);
    const index = item?.['index'] ?? position;
    const vector = asVector(item?.['embedding'], usage);
    if (typeof index !== 'number' || vectors[index]?.length !== 0) {
      throw incomprehensible('its vectors are not numbered', { usage });
    }
    vectors[index] = vector;
  }
  return { vectors, usage, warnings: [] };
}
