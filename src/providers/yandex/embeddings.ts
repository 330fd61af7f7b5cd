import { asProviderError } from '../shared/failures.ts';
import { sumOfUsage } from '../shared/wire.ts';
import type { EmbeddingAnswer, EmbeddingRequest } from '../spec.ts';
import { modelUri } from './request.ts';

/** Concurrent calls; the API accepts one text in a call. */
const CALLS_AT_ONCE = 5;
/** How often a text is sent again after a refusal for the quota, which is 10 calls a second by default. */
const REPEATS_MAX = 10;

/**
 * Embeds a list of texts through an API that accepts one text in a call. The first text is sent alone, to learn whether
 * calls succeed at all. If a later call is refused, only the texts before it are answered, because they are paid for. A
 * list can have more texts than the quota allows calls a second, so a text that is refused for this reason is sent
 * again, after the first answer and before the first failure.
 * @param embed calls Yandex's OpenAI-compatible API
 * @param wait pauses before a text is sent again
 * @throws ProviderError if the first call is refused, or any call failed after its text may have been accepted
 */
export async function embedEach(
  embed: (request: EmbeddingRequest) => Promise<EmbeddingAnswer>,
  folder: string,
  request: EmbeddingRequest,
  wait: () => Promise<void>,
): Promise<EmbeddingAnswer> {
  const model = modelUri('emb', folder, request.model);
  const answers: EmbeddingAnswer[] = [];
  let hasFailed = false;
  const embedOne = async (text: string): Promise<EmbeddingAnswer> => {
    for (let repeats = 0; ; repeats++) {
      try {
        return await embed({ ...request, model, input: [text] });
      } catch (error) {
        const mayPass = asProviderError(error).fault === 'busy' && repeats < REPEATS_MAX;
        const isWorthwhile = (): boolean => mayPass && answers.length > 0 && !hasFailed;
        if (isWorthwhile()) await wait();
        // Another text may have failed during the pause.
        if (isWorthwhile()) continue;
        hasFailed = true;
        throw error;
      }
    }
  };
  for (let at = 0; at < request.input.length;) {
    const batch = request.input.slice(at, at + (at === 0 ? 1 : CALLS_AT_ONCE));
    const { received, failures } = await inOrder(batch.map(embedOne));
    answers.push(...received);
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
    usage: answers.map(({ usage }) => usage).reduce(sumOfUsage),
    warnings: [...new Set(answers.flatMap(({ warnings }) => warnings))],
  };
}

/** The answers before the first failure, and all failures. */
async function inOrder(calls: readonly Promise<EmbeddingAnswer>[]) {
  const ended = await Promise.allSettled(calls);
  const received: EmbeddingAnswer[] = [];
  for (const one of ended) {
    if (one.status === 'rejected') break;
    received.push(one.value);
  }
  const failures = ended.flatMap((one) =>
    one.status === 'rejected' ? [asProviderError(one.reason)] : [],
  );
  return { received, failures };
}
