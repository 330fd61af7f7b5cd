import { incomprehensible } from '../shared/failures.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { asVector } from '../shared/vectors.ts';
import { noUsage, type EmbeddingRequest } from '../spec.ts';
import { errorInAnswer } from './errors.ts';

/** The API takes no more texts in one call. */
export const EMBEDDINGS_PER_CALL = 100;

/** The body of `batchEmbedContents`. @param model with its `models/` */
export function embeddingBody({ input, dimensions }: EmbeddingRequest, model: string): unknown {
  return {
    requests: input.map((text) => ({
      model,
      content: { parts: [{ text }] },
      outputDimensionality: dimensions,
    })),
  };
}

/**
 * The vectors of an answer; it tells no usage.
 * @throws ProviderError `failed` when the body has not one vector for each text
 */
export function readVectors(body: unknown, count: number, secret: string | undefined): number[][] {
  const answer = asRecord(body);
  if (!answer) throw incomprehensible('it is no object');
  const error = errorInAnswer(answer, secret);
  if (error) throw error;
  const told = asArray(answer['embeddings']);
  if (told?.length !== count) throw incomprehensible('it lacks vectors');
  return told.map((item) => asVector(asRecord(item)?.['values'], noUsage));
}
