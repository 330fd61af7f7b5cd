import { sumOfCounts } from '../shared/wire.ts';
import { readNumberedVectors } from '../shared/vectors.ts';
import { noUsage, type EmbeddingAnswer } from '../spec.ts';
import { wireEmbedding, wireEmbeddings } from './wire.ts';

/** @throws ProviderError `failed` if the body does not have one vector for each text */
export function embeddingAnswer(body: unknown, count: number, warnings: string[]): EmbeddingAnswer {
  const { data = [] } = wireEmbeddings.parse(body) ?? {};
  const promptTokens = data
    .map((item) => wireEmbedding.parse(item)?.usage?.prompt_tokens ?? null)
    .reduce(sumOfCounts, 0);
  const usage = { ...noUsage, promptTokens, totalTokens: promptTokens };
  return { vectors: readNumberedVectors(data, count, usage), usage, warnings };
}
