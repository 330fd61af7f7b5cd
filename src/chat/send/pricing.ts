import type { CatalogueModel } from '../../catalogue/index.ts';
import { costOf, costWithoutAnswer, lowerOf, withinHold, type Cost } from '../../ledger/index.ts';
import type { Micro } from '../../lib/money.ts';
import { copyParts, freePrice, type AnswerTokens, type UsedTokens } from '../../lib/units.ts';
import type { Usage } from '../../providers/index.ts';
import type { FittedContext } from '../context/context.ts';
import { estimateTokens } from '../context/tokens.ts';
import { kindOf, type SendInput } from './send-input.ts';

export interface CountedUsage extends AnswerTokens {
  /** `estimated` if the provider did not report all of the totals. */
  source: 'provider' | 'estimated';
}

/** What tokens are estimated from when the provider reports no usage. */
export interface Sent {
  input: SendInput;
  context: FittedContext;
}

/** The provider's counts; those that it did not report are estimated. A reported zero is a zero. */
export function countUsage(
  told: Usage,
  sent: Sent,
  answer: string,
): CountedUsage | Promise<CountedUsage> {
  const { promptTokens, completionTokens } = told;
  if (promptTokens === null || completionTokens === null) return estimateUsage(told, sent, answer);
  return counted(told, promptTokens, completionTokens, 'provider');
}

async function estimateUsage(told: Usage, sent: Sent, answer: string): Promise<CountedUsage> {
  const promptTokens =
    told.promptTokens ?? (await kindOf(sent.input).estimatePrompt(sent.input, sent.context));
  const completionTokens = told.completionTokens ?? (await estimateTokens(answer));
  return counted(told, promptTokens, completionTokens, 'estimated');
}

function counted(
  told: Usage,
  promptTokens: number,
  completionTokens: number,
  source: CountedUsage['source'],
): CountedUsage {
  const totalTokens = told.totalTokens ?? promptTokens + completionTokens;
  return copyParts(told, { promptTokens, completionTokens, totalTokens, source });
}

/**
 * The counts of an answer that was cut off. In the middle of a stream, the output that a provider has reported is often
 * less than it has sent, so the larger of its count and an estimate is used.
 */
export async function countDelivered(
  told: Usage,
  sent: Sent,
  delivered: string,
): Promise<CountedUsage> {
  const estimate = await estimateTokens(delivered);
  const completionTokens = (told.completionTokens ?? 0) < estimate ? null : told.completionTokens;
  return countUsage({ ...told, completionTokens, totalTokens: null }, sent, delivered);
}

export interface Charge extends Cost {
  warnings: string[];
}

/**
 * What an answer costs: by the model that answered or, if lower, by the model that was asked, and never
 * above the hold.
 */
export function chargeForAnswer(
  asked: CatalogueModel,
  served: CatalogueModel,
  usage: UsedTokens,
  hold: Micro,
): Charge {
  const servedCost = costOf(served.price ?? freePrice, usage);
  if (served === asked) return capped(servedCost, hold);
  return capped(lowerOf(servedCost, costOf(asked.price ?? freePrice, usage)), hold);
}

/** An empty or refused answer is charged only at the usage that the provider reported; if it reported none, nothing. */
export function chargeWithoutAnswer(
  asked: CatalogueModel,
  served: CatalogueModel,
  told: Pick<Usage, 'promptTokens' | 'completionTokens'> & Partial<Usage>,
  hold: Micro,
): Charge {
  const { promptTokens, completionTokens } = told;
  if (promptTokens === null && completionTokens === null) {
    return { request: 0, response: 0, warnings: [] };
  }
  const used = {
    ...told,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
  const askedCost = costWithoutAnswer(asked.price ?? freePrice, used);
  const servedCost = costWithoutAnswer(served.price ?? freePrice, used);
  return capped(lowerOf(servedCost, askedCost), hold);
}

/** The warning blames nobody: a model may write more than its cap and report no usage, so that the count is ours. */
function capped(cost: Cost, hold: Micro): Charge {
  const { request, response, cut } = withinHold(cost, hold);
  const warnings = cut
    ? ['the usage is more than was allowed; the charge was cut to the amount held']
    : [];
  return { request, response, warnings };
}
