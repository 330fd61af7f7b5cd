import { requestedEffort, knownEffort, thinksByName } from '../shared/thinking.ts';
import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';

const levels: readonly string[] = ['minimal', 'low', 'medium', 'high'];
/** Pro models of Gemini 3, and Flash since 3.7, refuse the first level. */
const withoutMinimal = /gemini-3(?:\.\d+)?-pro|gemini-3\.(?:[7-9]|\d\d)/;
/** Models before 2.5 do not think, and refuse the options. */
const thoughtless = /gemini-(?:1\.|2\.0)/;

/** Thinking tokens for each effort on Gemini 2.5, as in Google's own OpenAI interface. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
]);

/** The model decides how many tokens it thinks. */
const DYNAMIC = -1;

interface BudgetRange {
  min: number;
  max: number;
  /** Whether thinking can be turned off for the model. */
  canBeOff: boolean;
}

function rangeOf(model: string): BudgetRange {
  if (/gemini-2\.5-pro/.test(model)) return { min: 128, max: 32_768, canBeOff: false };
  return { min: /flash-lite/.test(model) ? 512 : 1, max: 24_576, canBeOff: true };
}

type ThinkingFields = Pick<TextRequest, 'model' | 'reasoningEffort' | 'thinking' | 'shownThoughts'>;

/** How much a model thinks, and whether its answer includes a summary of its thoughts. */
export function thinkingConfig(
  request: ThinkingFields,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { model, shownThoughts } = request;
  const effort = requestedEffort(request);
  const isShown = shownThoughts?.summary !== undefined && effort !== 'none' && thinksByName(model);
  const amount = amountConfig(request, effort, omissions);
  return isShown ? { ...amount, includeThoughts: true } : amount;
}

/** Gemini 2.5 has a number of tokens, later models have a level. */
function amountConfig(
  request: ThinkingFields,
  effort: string | undefined,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { model } = request;
  if (thoughtless.test(model)) {
    if (effort !== undefined && effort !== 'none') {
      omissions.add('reasoningEffort', 'This model does not think.');
    }
    return undefined;
  }
  if (/gemini-2\.5/.test(model)) return budgetConfig(request, effort, omissions);
  const known = withoutMinimal.test(model) ? levels.slice(1) : levels;
  const level = knownEffort(effort, known, omissions);
  return level === undefined ? undefined : { thinkingLevel: level.toUpperCase() };
}

function budgetConfig(
  { model, thinking }: Pick<TextRequest, 'model' | 'thinking'>,
  effort: string | undefined,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { min, max, canBeOff } = rangeOf(model);
  if (thinking?.type === 'enabled') {
    const { budgetTokens: requested } = thinking;
    const thinkingBudget = Math.min(Math.max(requested, min), max);
    const why = `This model thinks for ${min} to ${max} tokens.`;
    if (thinkingBudget !== requested) omissions.replace(why, `${thinkingBudget}`);
    return { thinkingBudget };
  }
  if (effort === undefined) {
    return thinking?.type === 'adaptive' ? { thinkingBudget: DYNAMIC } : undefined;
  }
  const known = knownEffort(effort, [...budgets.keys()], omissions);
  const thinkingBudget = known === undefined ? undefined : budgets.get(known);
  if (thinkingBudget === undefined) return undefined;
  if (thinkingBudget > 0 || canBeOff) return { thinkingBudget };
  omissions.replace('This model always thinks.', `${min} tokens for it`);
  return { thinkingBudget: min };
}
