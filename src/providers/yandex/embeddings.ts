import { noUsage, type EmbeddingAnswer, type EmbeddingRequest, type Usage } from '../spec.ts';
import { modelUri } from './model-uri.ts';

/** Texts that are sent at once; the API takes one a call. */
const CALLS_AT_ONCE = 5;

/**
 * The vectors of a list of texts by an interface that takes one text a call. The first goes alone: how it fares
 * tells whether there is anything to be had.
 * @param embed calls the OpenAI-compatible interface of Yandex
 */
export async function embedEach(
  embed: (request: EmbeddingRequest) => Promise<EmbeddingAnswer>,
  folder: string,
  request: EmbeddingRequest,
): Promise<EmbeddingAnswer> {
  const model = modelUri('emb', folder, request.model);
  const answers: EmbeddingAnswer[] = [];
  for (let at = 0; at < request.input.length;) {
    const batch = request.input.slice(at, at + (at === 0 ? 1 : CALLS_AT_ONCE));
    const calls = batch.map((text) => embed({ ...request, model, input: [text] }));
    answers.push(...(await Promise.all(calls)));
    at += batch.length;
  }
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    usage: answers.map(({ usage }) => usage).reduce(sum),
    warnings: [...new Set(answers.flatMap(({ warnings }) => warnings))],
  };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    ...noUsage,
    promptTokens: sumOf(a.promptTokens, b.promptTokens),
    totalTokens: sumOf(a.totalTokens, b.totalTokens),
  };
}

function sumOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
