import type { TextRequest } from '../spec.ts';
import type { Omissions } from './unsupported.ts';

/**
 * Models that reason by default and do not stream their reasoning: OpenAI's from o1 and GPT-5 on, Grok 4, Gemini from
 * 2.5 on.
 */
const reasoners =
  /(?:^|\/)(?:o[1-9](?:-|$)|gpt-(?:[5-9]|\d\d)(?!.*chat)|grok-[4-9](?!.*non-reasoning)|gemini-(?:2\.5|[3-9]))/;
/** Claude models that always reason. */
export const alwaysReasons = /^claude-(?:(?:opus|sonnet)-5-[2-9]|(?:fable|mythos)-5-[1-9])(?!\d)/;

/**
 * Whether a model makes tokens that its stream does not show, as far as it is known before the stream shows it.
 * @returns undefined if neither the kind of the provider nor the model's name tells
 */
export function hidesReasoning(
  kind: string,
  { model, reasoningEffort: effort }: Pick<TextRequest, 'model' | 'reasoningEffort'>,
): boolean | undefined {
  if (kind === 'sandbox') return false;
  // A server may ignore the effort `none`, so it proves nothing.
  if (effort !== undefined && effort !== 'none') return true;
  // Models of neither kind reason by default. A stream from Anthropic shows when a model begins to reason.
  if (kind === 'anthropic') return alwaysReasons.test(model);
  if (kind === 'gigachat') return false;
  return reasoners.test(model) ? true : undefined;
}

/** The efforts of all providers, from the least. */
const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

type ReasoningSettings = Pick<TextRequest, 'reasoningEffort' | 'reasoningMode'>;

/** Most reasoning tokens for which a budget counts as a low or medium effort. */
const LOW_BUDGET_MAX = 4_096;
const MEDIUM_BUDGET_MAX = 16_384;

/** The effort that corresponds to a number of reasoning tokens, for providers without budgets. */
export function effortOfBudget(tokens: number): string {
  if (tokens <= LOW_BUDGET_MAX) return 'low';
  return tokens <= MEDIUM_BUDGET_MAX ? 'medium' : 'high';
}

/** The effort that a request asks for, for providers that have no other setting for reasoning. */
export function requestedEffort({
  reasoningEffort,
  reasoningMode: mode,
}: ReasoningSettings): string | undefined {
  if (mode?.type === 'disabled') return 'none';
  if (reasoningEffort !== undefined) return reasoningEffort;
  return mode?.type === 'enabled' ? effortOfBudget(mode.budgetTokens) : undefined;
}

/**
 * The effort that `hidesReasoning` uses: that of the request, or any effort if the request only asks the model to
 * reason.
 */
export function effectiveEffort(requested: ReasoningSettings): string | undefined {
  return (
    requestedEffort(requested) ??
    (requested.reasoningMode?.type === 'adaptive' ? 'medium' : undefined)
  );
}

/** Whether the name of a model says that it reasons by default. */
export function reasonsByName(model: string): boolean {
  return reasoners.test(model);
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
