import { DomainError } from '../../../lib/errors.ts';
import { EmbeddingRun, type EmbeddingAnswer } from '../../../providers/index.ts';
import { TokenBudget, type FittedContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import type { EmbeddedAnswer, SendBase, SendKind } from './kind.ts';

/** Texts, each of which the model turns into one vector. */
export interface EmbeddingSend extends SendBase {
  kind: 'embedding';
  texts: readonly string[];
  dimensions: number | undefined;
}

export const embeddingKind: SendKind<EmbeddingSend> = {
  stored: ({ texts }) => ({
    systemPrompt: '',
    request: texts.join('\n'),
    parameters: { chat_depth: 0 },
  }),
  outputTokensMax: () => 0,
  isUncapped: false,
  isReducible: () => false,
  context: (_parts, _userId, { maxInputTokens }, { texts }) => fitEmbedding(texts, maxInputTokens),
  limitedTexts: ({ texts }) => texts.map((text) => [text]),
  estimatePrompt: ({ texts }) => estimateMessages([texts.join('\n')]),
  work({ input: { texts, dimensions }, model: { model } }) {
    const run = new EmbeddingRun({ model, input: texts, dimensions, refuseUnsupported: true });
    return {
      model,
      run: async (provider, signal) => embeddedAnswer(await run.run(provider, signal)),
      failure: (error) => run.failure(error),
    };
  },
};

/** Providers report no output tokens for vectors. They count as 0, and are not estimated. */
function embeddedAnswer({ vectors, usage, warnings }: EmbeddingAnswer): EmbeddedAnswer {
  return {
    vectors,
    usage: { ...usage, completionTokens: usage.completionTokens ?? 0 },
    warnings,
    providerMessageId: null,
    finishReason: 'stop',
    seed: null,
  };
}

/**
 * Bounds what embeddings can cost. A model reads each text separately, so its limit applies to each text,
 * not to their sum.
 * @throws `input_too_long` naming the text that does not fit
 */
export async function fitEmbedding(
  texts: readonly string[],
  maxInputTokens: number,
): Promise<FittedContext> {
  let inputTokensMax = 0;
  for (const [index, text] of texts.entries()) {
    const budget = new TokenBudget(maxInputTokens);
    if (!(await budget.take([text]))) {
      throw new DomainError(
        'input_too_long',
        `input ${index} is longer than the model's ${maxInputTokens} input tokens: shorten it`,
        { details: [{ path: `input.${index}`, message: `at most ${maxInputTokens} tokens` }] },
      );
    }
    inputTokensMax += budget.upperBound;
  }
  return { items: [], inputTokensMax };
}
