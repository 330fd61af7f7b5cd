import { asProviderError } from '../shared/failures.ts';
import { sumOfCounts } from '../shared/usage.ts';
import { noUsage, type EmbeddingAnswer, type EmbeddingRequest, type Usage } from '../spec.ts';
import { modelUri } from './model-uri.ts';

/** Texts that are sent at once; the API takes one a call. */
const CALLS_AT_ONCE = 5;

/**
 * The vectors of a list of texts by an interface that takes one text a call. The first goes alone: how it fares
 * tells whether there is anything to be had. Where a later one is not taken, those before it are answered alone, since
 * they are paid for.
 * @param embed calls the OpenAI-compatible interface of Yandex
 * @throws ProviderError when the first is not taken, or any may have been taken without an answer
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
    const { came, failures } = await inOrder(calls);
    answers.push(...came);
    const [first] = failures;
    if (first) {
      const begun = failures.find(({ accepted }) => accepted);
      if (begun) throw begun;
      if (answers.length === 0) throw first;
      break;
    }
    at += batch.length;
  }
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    usage: answers.map(({ usage }) => usage).reduce(sum),
    warnings: [...new Set(answers.flatMap(({ warnings }) => warnings))],
  };
}

/** What came before the first failure, and all failures. */
async function inOrder(calls: readonly Promise<EmbeddingAnswer>[]) {
  const ended = await Promise.allSettled(calls);
  const came: EmbeddingAnswer[] = [];
  for (const one of ended) {
    if (one.status === 'rejected') break;
    came.push(one.value);
  }
  const failures = ended.flatMap((one) =>
    one.status === 'rejected' ? [asProviderError(one.reason)] : [],
  );
  return { came, failures };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    ...noUsage,
    promptTokens: sumOfCounts(a.promptTokens, b.promptTokens),
    totalTokens: sumOfCounts(a.totalTokens, b.totalTokens),
  };
}
