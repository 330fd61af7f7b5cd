import type { LeftOut } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';

const levels: readonly string[] = ['minimal', 'low', 'medium', 'high'];
/** Pro models of Gemini 3, and Flash from 3.7 on, refuse the first level. */
const thinksMore = /gemini-3(?:\.\d+)?-pro|gemini-3\.(?:[7-9]|\d\d)/;

/** Tokens of thought that Google's own OpenAI interface takes for each effort, for Gemini 2.5. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
]);

/** How much a model shall think: Gemini 2.5 takes a number of tokens, what came later takes a level. */
export function thinkingConfig(
  { model, reasoningEffort: effort }: Pick<TextRequest, 'model' | 'reasoningEffort'>,
  leftOut: LeftOut,
): Record<string, unknown> | undefined {
  if (effort === undefined) return undefined;
  const thinkingBudget = /gemini-2\.5/.test(model) ? budgets.get(effort) : undefined;
  if (thinkingBudget !== undefined) return { thinkingBudget };
  const known = thinksMore.test(model) ? levels.slice(1) : levels;
  if (known.includes(effort)) return { thinkingLevel: effort.toUpperCase() };
  const list = known.join(', ');
  leftOut.add('reasoningEffort', `This model knows the reasoning efforts ${list} only.`);
  return undefined;
}
