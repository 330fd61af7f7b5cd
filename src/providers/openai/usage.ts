import { asRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer. Chat names the counts `prompt_tokens` and `completion_tokens`, images
 * `input_tokens` and `output_tokens`. Cached tokens are within the first, reasoning within the second.
 */
export function readUsage(value: unknown): Usage {
  const usage = asRecord(value);
  if (!usage) return noUsage;
  return {
    promptTokens: tokenCount(usage['prompt_tokens']) ?? tokenCount(usage['input_tokens']),
    completionTokens: tokenCount(usage['completion_tokens']) ?? tokenCount(usage['output_tokens']),
    totalTokens: tokenCount(usage['total_tokens']),
  };
}
