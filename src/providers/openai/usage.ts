import { asRecord, type JsonRecord } from '../shared/json.ts';
import { costTold, tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer. Chat names the counts `prompt_tokens` and `completion_tokens`, images
 * `input_tokens` and `output_tokens`. Cached and written tokens are within the first, reasoning within the
 * second; DeepSeek tells its cached ones as `prompt_cache_hit_tokens`. Resellers tell what they bill:
 * OpenRouter as `cost`, Polza as `cost_rub`.
 */
export function readUsage(value: unknown): Usage {
  const usage = asRecord(value);
  if (!usage) return noUsage;
  const input = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details');
  const output = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details');
  const told = {
    ...noUsage,
    promptTokens: tokenCount(usage['prompt_tokens']) ?? tokenCount(usage['input_tokens']),
    completionTokens: tokenCount(usage['completion_tokens']) ?? tokenCount(usage['output_tokens']),
    totalTokens: tokenCount(usage['total_tokens']),
    cachedPromptTokens:
      tokenCount(input?.['cached_tokens']) ?? tokenCount(usage['prompt_cache_hit_tokens']),
    cacheWritePromptTokens: tokenCount(input?.['cache_write_tokens']),
    reasoningTokens: tokenCount(output?.['reasoning_tokens']),
  };
  const providerCost = costTold(usage['cost_rub'], 'RUB') ?? costTold(usage['cost'], null);
  return { ...told, completionTokens: withReasoning(told), ...(providerCost && { providerCost }) };
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

function detailsOf(usage: JsonRecord, name: string, other: string): JsonRecord | undefined {
  return asRecord(usage[name]) ?? asRecord(usage[other]);
}
