import { asRecord, type JsonRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer. Chat names the counts `prompt_tokens` and `completion_tokens`, images
 * `input_tokens` and `output_tokens`. Cached tokens are within the first, reasoning within the second;
 * DeepSeek tells its cached ones as `prompt_cache_hit_tokens`.
 */
export function readUsage(value: unknown): Usage {
  const usage = asRecord(value);
  if (!usage) return noUsage;
  const input = detailsOf(usage, 'prompt_tokens_details', 'input_tokens_details');
  const output = detailsOf(usage, 'completion_tokens_details', 'output_tokens_details');
  return {
    ...noUsage,
    promptTokens: tokenCount(usage['prompt_tokens']) ?? tokenCount(usage['input_tokens']),
    completionTokens: tokenCount(usage['completion_tokens']) ?? tokenCount(usage['output_tokens']),
    totalTokens: tokenCount(usage['total_tokens']),
    cachedPromptTokens:
      tokenCount(input?.['cached_tokens']) ?? tokenCount(usage['prompt_cache_hit_tokens']),
    reasoningTokens: tokenCount(output?.['reasoning_tokens']),
  };
}

function detailsOf(usage: JsonRecord, name: string, other: string): JsonRecord | undefined {
  return asRecord(usage[name]) ?? asRecord(usage[other]);
}
