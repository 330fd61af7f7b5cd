import { asRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/**
 * The field `usageMetadata` of an answer. Thoughts are told apart from what was said, and a count of zero
 * is often not told at all; the total tells that it was one.
 */
export function readUsage(value: unknown): Usage {
  const told = asRecord(value);
  if (!told) return noUsage;
  const prompt = tokenCount(told['promptTokenCount']);
  const ofTools = tokenCount(told['toolUsePromptTokenCount']) ?? 0;
  const said = tokenCount(told['candidatesTokenCount']);
  const thought = tokenCount(told['thoughtsTokenCount']);
  const totalTokens = tokenCount(told['totalTokenCount']);
  const promptTokens = prompt === null ? null : prompt + ofTools;
  const isTold = said !== null || thought !== null;
  return {
    ...noUsage,
    promptTokens,
    completionTokens: isTold ? (said ?? 0) + (thought ?? 0) : difference(totalTokens, promptTokens),
    totalTokens,
    cachedTokens: tokenCount(told['cachedContentTokenCount']),
    reasoningTokens: thought,
  };
}

function difference(total: number | null, part: number | null): number | null {
  return total === null || part === null || total < part ? null : total - part;
}
