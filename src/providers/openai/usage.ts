import { asRecord, type JsonRecord, reportedCost, tokenCount } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usage` of an answer, or of any chunk of a stream. It is read without a schema, which takes a tenth of the
 * time. Chat names the counts `prompt_tokens` and `completion_tokens`, images `input_tokens` and `output_tokens`.
 * Cached and written tokens are part of the input, reasoning is part of the output. OpenRouter bills `cost` in US
 * dollars, Polza `cost_rub` in rubles.
 * @param reasoningTokensInTotalAlone for servers that count reasoning tokens only in `total_tokens`
 */
export function readUsage(value: unknown, reasoningTokensInTotalAlone = false): Usage {
  const wire = asRecord(value);
  if (!wire) return noUsage;
  const input = detailsOf(wire, 'prompt_tokens_details', 'input_tokens_details');
  const output = detailsOf(wire, 'completion_tokens_details', 'output_tokens_details');
  const cachedTokens =
    tokenCount(input?.['cached_tokens']) ??
    tokenCount(wire['prompt_cache_hit_tokens']) ??
    mistralCached(wire);
  const totalTokens = tokenCount(wire['total_tokens']);
  const usage: Usage = {
    ...noUsage,
    promptTokens: withCached(
      tokenCount(wire['prompt_tokens']) ?? tokenCount(wire['input_tokens']),
      cachedTokens,
      totalTokens,
    ),
    completionTokens: tokenCount(wire['completion_tokens']) ?? tokenCount(wire['output_tokens']),
    totalTokens,
    cachedTokens,
    cacheWriteTokens: tokenCount(input?.['cache_write_tokens']),
    reasoningTokens: tokenCount(output?.['reasoning_tokens']),
  };
  const providerCost = reportedCost(wire['cost_rub'], 'RUB') ?? reportedCost(wire['cost'], null);
  if (providerCost) usage.providerCost = providerCost;
  if (reasoningTokensInTotalAlone) return { ...usage, ...outputOfTotal(usage) };
  usage.completionTokens = withReasoning(usage);
  return usage;
}

function detailsOf(wire: JsonRecord, name: string, other: string): JsonRecord | undefined {
  return asRecord(wire[name]) ?? asRecord(wire[other]);
}

/** Mistral has two more names for the count, and uses any of the three. */
function mistralCached(wire: JsonRecord): number | null {
  const details = asRecord(wire['prompt_token_details']);
  return tokenCount(wire['num_cached_tokens']) ?? tokenCount(details?.['cached_tokens']);
}

/**
 * Occasionally, xAI reports cached tokens beside the prompt, not within it. Then they exceed the prompt, and the total
 * includes both.
 */
function withCached(
  prompt: number | null,
  cached: number | null,
  total: number | null,
): number | null {
  if (prompt === null || cached === null || cached <= prompt) return prompt;
  return total !== null && total >= prompt + cached ? prompt + cached : prompt;
}

/**
 * xAI does not include reasoning in `completion_tokens`, but bills both. The total shows this: there it is the sum of
 * input, output and reasoning, elsewhere the sum of input and output.
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
