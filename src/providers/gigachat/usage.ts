import { asRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer. Tokens that the model had in its cache are free: by the API reference,
 * `total_tokens` is what is billed, after `precached_prompt_tokens` were taken off. So the billed input is
 * the total less the output, whether or not `prompt_tokens` counts the cached ones as well.
 */
export function readUsage(value: unknown): Usage {
  const usage = asRecord(value);
  if (!usage) return noUsage;
  const prompt = tokenCount(usage['prompt_tokens']);
  const completionTokens = tokenCount(usage['completion_tokens']);
  const totalTokens = tokenCount(usage['total_tokens']);
  return {
    ...noUsage,
    promptTokens: billedInput(totalTokens, completionTokens) ?? prompt,
    completionTokens,
    totalTokens,
  };
}

function billedInput(total: number | null, completion: number | null): number | null {
  return total === null || completion === null || total < completion ? null : total - completion;
}
