import type { TextRequest } from '../spec.ts';
import type { Omissions } from './unsupported.ts';

/** Models that think by default and do not stream their thoughts: OpenAI's from o1 and GPT-5 on, Grok 4, Gemini from 2.5 on. */
const thinkers =
  /(?:^|\/)(?:o[1-9](?:-|$)|gpt-(?:[5-9]|\d\d)(?!.*chat)|grok-[4-9](?!.*non-reasoning)|gemini-(?:2\.5|[3-9]))/;
/** Claude models that always think. */
export const alwaysThinks = /^claude-(?:(?:opus|sonnet)-5-[2-9]|(?:fable|mythos)-5-[1-9])(?!\d)/;

/**
 * Whether a model makes tokens that its stream does not show, as far as it is known before the stream shows it.
 * @returns undefined if neither the kind of the provider nor the model's name tells
 */
export function thinksUnseen(
  kind: string,
  { model, reasoningEffort: effort }: Pick<TextRequest, 'model' | 'reasoningEffort'>,
): boolean | undefined {
  if (kind === 'sandbox') return false;
  // A server may ignore the effort `none`, so it proves nothing.
  if (effort !== undefined && effort !== 'none') return true;
  // Neither kind thinks by default. A stream from Anthropic shows when a model begins to think.
  if (kind === 'anthropic') return alwaysThinks.test(model);
  if (kind === 'gigachat') return false;
  return thinkers.test(model) ? true : undefined;
}

/** The efforts of all providers, from the least. */
const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

type ThinkingFields = Pick<TextRequest, 'reasoningEffort' | 'thinking'>;

/** Most thinking tokens for which a budget counts as a low or medium effort. */
const LOW_BUDGET_MAX = 4_096;
const MEDIUM_BUDGET_MAX = 16_384;

/** The effort that corresponds to a number of thinking tokens, for providers without budgets. */
export function effortOfBudget(tokens: number): string {
  if (tokens <= LOW_BUDGET_MAX) return 'low';
  return tokens <= MEDIUM_BUDGET_MAX ? 'medium' : 'high';
}

/** The effort that a request asks for, for providers that have no other setting for thinking. */
export function requestedEffort({ reasoningEffort, thinking }: ThinkingFields): string | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (reasoningEffort !== undefined) return reasoningEffort;
  return thinking?.type === 'enabled' ? effortOfBudget(thinking.budgetTokens) : undefined;
}

/**
 * The effort that `thinksUnseen` uses: that of the request, or any effort if the request only asks the model to think.
 */
export function thinkingEffort(requested: ThinkingFields): string | undefined {
  return (
    requestedEffort(requested) ?? (requested.thinking?.type === 'adaptive' ? 'medium' : undefined)
  );
}

/** Whether the name of a model says that it thinks by default. */
export function thinksByName(model: string): boolean {
  return thinkers.test(model);
}

/**
 * The effort to send to a model that supports only some efforts.
 * @returns undefined if none is requested, or if no provider has the requested effort
 */
export function knownEffort(
  requested: string | undefined,
  known: readonly string[],
  omissions: Pick<Omissions, 'add' | 'replace'>,
): string | undefined {
  if (requested === undefined || known.includes(requested)) return requested;
  const why = `This model only supports the reasoning efforts ${known.join(', ')}.`;
  const rank = efforts.indexOf(requested);
  const used = known.find((effort) => efforts.indexOf(effort) >= rank) ?? known[known.length - 1];
  if (rank < 0 || used === undefined) omissions.add('reasoningEffort', why);
  else {
    omissions.replace(why, used);
    return used;
  }
  return undefined;
}
