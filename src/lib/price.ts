import type { Micro } from './money.ts';

/** What one model costs: micro-rubles, those of tokens per 1,000,000 of them. */
export interface Price {
  inputTokens: Micro;
  outputTokens: Micro;
  /** Once a request. */
  inputFix: Micro;
  /** Once an answer; for image models once an image. */
  outputFix: Micro;
  /** Of prompt tokens that came out of the provider's cache; absent: as the other input. */
  cachedInputTokens?: Micro;
  /** Of prompt tokens that were written into its cache; absent: as the other input. */
  cacheWriteTokens?: Micro;
  /** Of completion tokens that the model thought and did not say; absent: as the other output. */
  reasoningTokens?: Micro;
  /** A call with more prompt tokens than this costs the five prices below, all of it; absent: none does. */
  longAbove?: number;
  longInputTokens?: Micro;
  longOutputTokens?: Micro;
  /** Of these three each is, where it is absent, as the long input or output. */
  longCachedInputTokens?: Micro;
  longCacheWriteTokens?: Micro;
  longReasoningTokens?: Micro;
}

/** What a model without a price is counted at, too: such a model is for admins only, and costs nothing. */
export const freePrice: Price = { inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: 0 };
