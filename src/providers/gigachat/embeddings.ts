import { readVectors } from '../shared/vectors.ts';
import { label, list, section, sumOfCounts, tokens } from '../shared/wire.ts';
import { noUsage, type EmbeddingAnswer } from '../spec.ts';

const wireEmbeddings = section({ model: label, data: list });
/** Each vector reports the usage of its own text. */
const wireEmbedding = section({ usage: section({ prompt_tokens: tokens }) });

/** @throws ProviderError `failed` if there is not one vector for each text */
export function embeddingAnswer(body: unknown, count: number, warnings: string[]): EmbeddingAnswer {
  const { model, data = [] } = wireEmbeddings.parse(body) ?? {};
  const promptTokens = data
    .map((item) => wireEmbedding.parse(item)?.usage?.prompt_tokens ?? null)
    .reduce(sumOfCounts, 0);
  const usage = { ...noUsage, promptTokens, totalTokens: promptTokens };
  const answeringModel = model ?? undefined;
  return { vectors: readVectors(data, count, usage), answeringModel, usage, warnings };
}
