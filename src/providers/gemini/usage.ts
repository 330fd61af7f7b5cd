import { differenceOfCounts, section, tokens } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';

const wireUsage = section({
  promptTokenCount: tokens,
  toolUsePromptTokenCount: tokens,
  candidatesTokenCount: tokens,
  thoughtsTokenCount: tokens,
  totalTokenCount: tokens,
  cachedContentTokenCount: tokens,
});

/**
 * The field `usageMetadata` of an answer; undefined if it is absent. Reasoning is counted separately from the
 * visible output. A count of zero is often absent; the total shows that it was zero.
 */
export function readUsage(value: unknown): Usage | undefined {
  const wire = wireUsage.parse(value);
  if (!wire) return undefined;
  const { promptTokenCount: prompt, totalTokenCount: totalTokens } = wire;
  const { candidatesTokenCount: visible, thoughtsTokenCount: reasoningTokens } = wire;
  const promptTokens = prompt === null ? null : prompt + (wire.toolUsePromptTokenCount ?? 0);
  const hasOutput = visible !== null || reasoningTokens !== null;
  return {
    ...noUsage,
    promptTokens,
    completionTokens: hasOutput
      ? (visible ?? 0) + (reasoningTokens ?? 0)
      : differenceOfCounts(totalTokens, promptTokens),
    totalTokens,
    cachedTokens: wire.cachedContentTokenCount,
    reasoningTokens,
  };
}
