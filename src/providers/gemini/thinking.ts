import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';

const levels: readonly string[] = ['minimal', 'low', 'medium', 'high'];
/** Pro models of Gemini 3, and Flash since 3.7, refuse the first level. */
const withoutMinimal = /gemini-3(?:\.\d+)?-pro|gemini-3\.(?:[7-9]|\d\d)/;

/** Thinking tokens for each effort on Gemini 2.5, as in Google's own OpenAI interface. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
]);

/** How much a model thinks: Gemini 2.5 has a number of tokens, later models have a level. */
export function thinkingConfig(
  { model, reasoningEffort: effort }: Pick<TextRequest, 'model' | 'reasoningEffort'>,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  if (effort === undefined) return undefined;
  const thinkingBudget = /gemini-2\.5/.test(model) ? budgets.get(effort) : undefined;
  if (thinkingBudget !== undefined) return { thinkingBudget };
  const known = withoutMinimal.test(model) ? levels.slice(1) : levels;
  if (known.includes(effort)) return { thinkingLevel: effort.toUpperCase() };
  const list = known.join(', ');
  omissions.add('reasoningEffort', `This model only supports the reasoning efforts ${list}.`);
  return undefined;
}
