import { z } from 'zod';
import { anything, reportedCost, section, tokens } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';

const wireInputDetails = section({ cached_tokens: tokens, cache_write_tokens: tokens });
const wireOutputDetails = section({ reasoning_tokens: tokens });

/** Chat names the counts `prompt_tokens` and `completion_tokens`, images `input_tokens` and `output_tokens`. */
const wireUsage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: wireInputDetails,
  input_tokens_details: wireInputDetails,
  completion_tokens_details: wireOutputDetails,
  output_tokens_details: wireOutputDetails,
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: tokens,
  /** What OpenRouter bills, in US dollars. */
  cost: anything,
  /** What Polza bills, in rubles. */
  cost_rub: anything,
});

/**
 * The field `usage` of an answer. Cached and written tokens are part of the input, reasoning is part of the
 * output.
 * @param thoughtsInTotalAlone for servers that count what the model thought in `total_tokens` only
 */
export function readUsage(value: unknown, thoughtsInTotalAlone = false): Usage {
  // Most chunks of a stream have none.
  if (value === null || value === undefined) return noUsage;
  const { data: wire } = wireUsage.safeParse(value);
  if (!wire) return noUsage;
  const inputDetails = wire.prompt_tokens_details ?? wire.input_tokens_details;
  const outputDetails = wire.completion_tokens_details ?? wire.output_tokens_details;
  const usage = {
    ...noUsage,
    promptTokens: wire.prompt_tokens ?? wire.input_tokens,
    completionTokens: wire.completion_tokens ?? wire.output_tokens,
    totalTokens: wire.total_tokens,
    cachedTokens: inputDetails?.cached_tokens ?? wire.prompt_cache_hit_tokens,
    cacheWriteTokens: inputDetails?.cache_write_tokens ?? null,
    reasoningTokens: outputDetails?.reasoning_tokens ?? null,
  };
  const providerCost = reportedCost(wire.cost_rub, 'RUB') ?? reportedCost(wire.cost, null);
  const output = thoughtsInTotalAlone
    ? outputOfTotal(usage)
    : { completionTokens: withReasoning(usage) };
  return { ...usage, ...output, ...(providerCost && { providerCost }) };
}

/**
 * xAI does not include reasoning in `completion_tokens`, but bills both. It shows in the total, which is the sum
 * of input, output and reasoning there, and the sum of input and output elsewhere.
 */
function withReasoning(usage: Usage): number | null {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens } = usage;
  if (promptTokens === null || completionTokens === null || !reasoningTokens) {
    return completionTokens;
  }
  const isSeparate = totalTokens === promptTokens + completionTokens + reasoningTokens;
  return isSeparate ? completionTokens + reasoningTokens : completionTokens;
}

/** Everything in the total that is not input is output; what `completion_tokens` does not include is reasoning. */
function outputOfTotal(usage: Usage): Partial<Usage> {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens } = usage;
  const answered = completionTokens ?? 0;
  if (promptTokens === null || totalTokens === null || totalTokens <= promptTokens + answered) {
    return {};
  }
  const output = totalTokens - promptTokens;
  return { completionTokens: output, reasoningTokens: reasoningTokens ?? output - answered };
}
