import { incomprehensible } from '../shared/failures.ts';
import { asArray, asRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { asVector } from '../shared/vectors.ts';
import { noUsage, type EmbeddingAnswer } from '../spec.ts';

/**
 * Each vector tells the usage of its own text.
 * @throws ProviderError `failed` when the body has not one vector for each text
 */
export function embeddingAnswer(body: unknown, count: number, warnings: string[]): EmbeddingAnswer {
  const data = asArray(asRecord(body)?.['data'])?.map(asRecord);
  if (data?.length !== count) throw incomprehensible('it lacks vectors');
  let promptTokens: number | null = 0;
  for (const item of data) {
    const tokens = tokenCount(asRecord(item?.['usage'])?.['prompt_tokens']);
    promptTokens = promptTokens === null || tokens === null ? null : promptTokens + tokens;
  }
  const usage = { ...noUsage, promptTokens, totalTokens: promptTokens };
  const vectors: number[][] = Array.from({ length: count }, () => []);
  for (const [position, item] of data.entries()) {
    const index = item?.['index'] ?? position;
    if (typeof index !== 'number' || vectors[index]?.length !== 0) {
      throw incomprehensible('its vectors are not numbered', { usage });
    }
    vectors[index] = asVector(item?.['embedding'], usage);
  }
  return { vectors, usage, warnings };
}
