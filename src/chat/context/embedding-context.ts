import { DomainError } from '../../lib/errors.ts';
import { TokenBudget, type FittedContext } from './context.ts';

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
