import { asRecord, type JsonRecord } from '../shared/json.ts';
import { costTold, tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer. Chat names the counts `prompt_tokens` and `completion_tokens`, images
 * `input_tokens` and `output_tokens`. Cached and written tokens are within the first, reasoning within the
 * second; DeepSeek tells its cached ones as `prompt_cache_hit_tokens`. Resellers tell what they bill:
 * OpenRouter as `cost`, Polza as `cost_rub`.
 * @param thoughtsInTotalAlone of servers that tell what the model thought within `total_tokens` alone
 */
export function readUsage(value: unknown, thoughtsInTotalAlone = false): Usage {
  const usage = asRecord(value);
  if (!usage) return noUsage;
  const inputDetails = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details');
  const outputDetails = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details');
  const told = {
    ...noUsage,
    promptTokens: tokenCount(usage['prompt_tokens']) ?? tokenCount(usage['input_tokens']),
    completionTokens: tokenCount(usage['completion_tokens']) ?? tokenCount(usage['output_tokens']),
    totalTokens: tokenCount(usage['total_tokens']),
    cachedTokens:
      tokenCount(inputDetails?.['cached_tokens']) ?? tokenCount(usage['prompt_cache_hit_tokens']),
    cacheWriteTokens: tokenCount(inputDetails?.['cache_write_tokens']),
    reasoningTokens: tokenCount(outputDetails?.['reasoning_tokens']),
  };
  const providerCost = costTold(usage['cost_rub'], 'RUB') ?? costTold(usage['cost'], null);
  const output = thoughtsInTotalAlone
    ? outputOfTotal(told)
    : { completionTokens: withReasoning(told) };
  return { ...told, ...output, ...(providerCost && { providerCost }) };
}

/**
 * xAI counts reasoning beside `completion_tokens`, and bills both. Its total gives it away: there it is the
 * sum of all three, elsewhere that of input and output.
 */
function withReasoning(told: Usage): number | null {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens } = told;
  if (promptTokens === null || completionTokens === null || !reasoningTokens)
    return completionTokens;
  const isBeside = totalTokens === promptTokens + completionTokens + reasoningTokens;
  return isBeside ? completionTokens + reasoningTokens : completionTokens;
}

/** All of a total that is not input is output, and what of that is not told as `completion_tokens` are thoughts. */
function outputOfTotal(told: Usage): Partial<Usage> {
  const { promptTokens, completionTokens, totalTokens, reasoningTokens } = told;
  const said = completionTokens ?? 0;
  if (promptTokens === null || totalTokens === null || totalTokens <= promptTokens + said)
    return {};
  const output = totalTokens - promptTokens;
  return { completionTokens: output, reasoningTokens: reasoningTokens ?? output - said };
}

function detailsOf(usage: JsonRecord, name: string, other: string): JsonRecord | undefined {
  return asRecord(usage[name]) ?? asRecord(usage[other]);
}
