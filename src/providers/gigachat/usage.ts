import { differenceOfCounts, section, tokens } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';

const wireUsage = section({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
});

/**
 * The field `usage` of an answer; undefined if it is absent. Tokens from the model's cache are free: according to
 * the API reference, `total_tokens` is billed, and does not include `precached_prompt_tokens`. So the billed input
 * is the total less the output, whether or not `prompt_tokens` includes the cached ones.
 */
export function readUsage(value: unknown): Usage | undefined {
  const wire = wireUsage.parse(value);
  if (!wire) return undefined;
  const { completion_tokens: completionTokens, total_tokens: totalTokens } = wire;
  const billedInput = differenceOfCounts(totalTokens, completionTokens);
  const promptTokens = billedInput ?? wire.prompt_tokens;
  return { ...noUsage, promptTokens, completionTokens, totalTokens };
}
