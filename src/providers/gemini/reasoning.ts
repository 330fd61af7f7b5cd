import { requestedEffort, knownEffort, reasonsByName } from '../shared/reasoning-effort.ts';
import type { Omissions } from '../shared/unsupported.ts';
import type { TextRequest } from '../spec.ts';

const levels: readonly string[] = ['minimal', 'low', 'medium', 'high'];
/** Pro models of Gemini 3, and Flash since 3.7, refuse the first level. */
const withoutMinimal = /gemini-3(?:\.\d+)?-pro|gemini-3\.(?:[7-9]|\d\d)/;
/** Models before 2.5 do not reason, and refuse the options. */
const nonReasoning = /gemini-(?:1\.|2\.0)/;

/** Reasoning tokens for each effort on Gemini 2.5, as in Google's own OpenAI interface. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
]);

/** The model decides on the number of reasoning tokens. */
const DYNAMIC = -1;

interface BudgetRange {
  min: number;
  max: number;
  /** Whether reasoning can be switched off for the model. */
  canBeOff: boolean;
}

function rangeOf(model: string): BudgetRange {
  if (/gemini-2\.5-pro/.test(model)) return { min: 128, max: 32_768, canBeOff: false };
  return { min: /flash-lite/.test(model) ? 512 : 1, max: 24_576, canBeOff: true };
}

type ReasoningSettings = Pick<
  TextRequest,
  'model' | 'reasoningEffort' | 'reasoningMode' | 'shownReasoning'
>;

/** How much a model reasons, and whether its answer includes a summary of its reasoning. */
export function thinkingConfig(
  request: ReasoningSettings,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { model, shownReasoning } = request;
  const effort = requestedEffort(request);
  const isShown =
    shownReasoning?.summary !== undefined && effort !== 'none' && reasonsByName(model);
  const amount = amountConfig(request, effort, omissions);
  return isShown ? { ...amount, includeThoughts: true } : amount;
}

/** Gemini 2.5 has a number of tokens, later models have a level. */
function amountConfig(
  request: ReasoningSettings,
  effort: string | undefined,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { model } = request;
  if (nonReasoning.test(model)) {
    if (effort !== undefined && effort !== 'none') {
      omissions.add('reasoningEffort', 'This model does not reason.');
    }
    return undefined;
  }
  if (/gemini-2\.5/.test(model)) return budgetConfig(request, effort, omissions);
  const known = withoutMinimal.test(model) ? levels.slice(1) : levels;
  const level = knownEffort(effort, known, omissions);
  return level === undefined ? undefined : { thinkingLevel: level.toUpperCase() };
}

function budgetConfig(
  { model, reasoningMode: mode }: Pick<TextRequest, 'model' | 'reasoningMode'>,
  effort: string | undefined,
  omissions: Omissions,
): Record<string, unknown> | undefined {
  const { min, max, canBeOff } = rangeOf(model);
  if (mode?.type === 'enabled') {
    const { budgetTokens: requested } = mode;
    const thinkingBudget = Math.min(Math.max(requested, min), max);
    const why = `This model takes a budget of ${min} to ${max} reasoning tokens.`;
    if (thinkingBudget !== requested) omissions.replace(why, `${thinkingBudget}`);
    return { thinkingBudget };
  }
  if (effort === undefined) {
    return mode?.type === 'adaptive' ? { thinkingBudget: DYNAMIC } : undefined;
  }
  const known = knownEffort(effort, [...budgets.keys()], omissions);
  const thinkingBudget = known === undefined ? undefined : budgets.get(known);
  if (thinkingBudget === undefined) return undefined;
  if (thinkingBudget > 0 || canBeOff) return { thinkingBudget };
  omissions.replace('This model always reasons.', `${min} reasoning tokens`);
  return { thinkingBudget: min };
}
