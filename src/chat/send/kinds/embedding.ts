import { DomainError } from '../../../lib/errors.ts';
import { EmbeddingRun, type EmbeddingAnswer } from '../../../providers/index.ts';
import { TokenBudget, TOKENS_PER_MESSAGE, type FittedContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import type { EmbeddedAnswer, SendBase, SendKind } from './kind.ts';
import { recorded } from './recorded.ts';

/** Texts, each of which the model turns into one vector. */
export interface EmbeddingSend extends SendBase {
  kind: 'embedding';
  texts: readonly string[];
  /** The texts as token numbers of cl100k_base, if the caller sent those. */
  tokens?: readonly (readonly number[])[] | undefined;
  dimensions: number | undefined;
}

export const embeddingKind: SendKind<EmbeddingSend> = {
  stored: ({ texts }) => ({
    systemPrompt: '',
    request: recorded(texts.join('\n')),
    parameters: { chat_depth: 0 },
  }),
  outputTokensMax: () => 0,
  isUncapped: false,
  isReducible: () => false,
  context: (_parts, userId, { maxInputTokens }, { texts, tokens }) =>
    tokens ? fitTokens(texts, tokens, maxInputTokens) : fitEmbedding(texts, maxInputTokens, userId),
  limitedTexts: ({ texts }) => texts.map((text) => [text]),
  estimatePrompt: async ({ texts, tokens }, _context, userId) =>
    tokens?.reduce((sum, { length }) => sum + length, 0) ??
    estimateMessages([texts.join('\n')], userId),
  work({ input: { texts, tokens, dimensions }, model: { model } }) {
    const run = new EmbeddingRun({
      model,
      input: texts,
      tokens,
      dimensions,
      refuseUnsupported: true,
    });
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
  userId?: number,
): Promise<FittedContext> {
  let inputTokensMax = 0;
  for (const [index, text] of texts.entries()) {
    const budget = new TokenBudget(maxInputTokens, userId);
    if (!(await budget.take([text]))) throw tooLong(index, maxInputTokens);
    inputTokensMax += budget.upperBound;
  }
  return { items: [], inputTokensMax };
}

/** The same for texts whose tokens are known. A provider that takes texts only counts them by its own vocabulary. */
export function fitTokens(
  texts: readonly string[],
  tokens: readonly (readonly number[])[],
  maxInputTokens: number,
): FittedContext {
  let inputTokensMax = 0;
  for (const [index, { length }] of tokens.entries()) {
    if (length > maxInputTokens) throw tooLong(index, maxInputTokens);
    const bytes = Buffer.byteLength(texts[index] ?? '') + TOKENS_PER_MESSAGE;
    inputTokensMax += Math.min(maxInputTokens, Math.max(length, bytes));
  }
  return { items: [], inputTokensMax };
}

function tooLong(index: number, maxInputTokens: number): DomainError {
  return new DomainError(
    'input_too_long',
    `input ${index} is longer than the model's ${maxInputTokens} input tokens: shorten it`,
    { details: [{ path: `input.${index}`, message: `at most ${maxInputTokens} tokens` }] },
  );
}
