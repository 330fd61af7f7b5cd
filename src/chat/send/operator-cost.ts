/** What a send costs the operator: the cost of each attempt that a provider may bill, including failed ones. */
import { modelAt, type CatalogueModel } from '../../catalogue/index.ts';
import { costWithoutAnswer } from '../../ledger/index.ts';
import { product, readDecimal, roundedHalfUp, type Decimal } from '../../lib/decimal.ts';
import type { Micro } from '../../lib/money.ts';
import type { Attempt, Usage } from '../../providers/index.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';

/** In micro-rubles; null: not known, since the catalogue has no cost for the model. */
export interface OperatorCosts {
  total: Micro | null;
  /** In the order of the attempts. */
  attempts: readonly (Micro | null)[];
}

/**
 * @param served the model that was called last
 * @param answered the cost of its answer; undefined if there was none
 */
export function operatorCosts(
  { catalogue }: Pick<SenderParts, 'catalogue'>,
  { model: requested, askedAt }: Pick<HeldSend, 'model' | 'askedAt'>,
  served: CatalogueModel,
  attempts: readonly Attempt[],
  answered: Micro | null | undefined,
): OperatorCosts {
  const last = attempts.length - 1;
  // Nearly every send.
  if (last === 0 && answered !== undefined && attempts[0]?.cost === null) {
    return { total: answered, attempts: [answered] };
  }
  const costs = attempts.map((attempt, index) => {
    const model = index === last ? served : modelOf(attempt, requested, catalogue, askedAt);
    const reported = attempt.cost && reportedCost(attempt.cost, model);
    return reported ?? (index === last ? answered : undefined) ?? costOfUsage(attempt, model);
  });
  const total = costs.reduce<Micro | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost),
    0,
  );
  return { total, attempts: costs };
}

/** The model that an attempt called: the requested one or a fallback. */
function modelOf(
  { provider, model: name }: Attempt,
  requested: CatalogueModel,
  catalogue: SenderParts['catalogue'],
  askedAt: number,
): CatalogueModel | undefined {
  const isCalled = (model?: CatalogueModel) => model?.provider === provider && model.model === name;
  if (isCalled(requested)) return requested;
  const fallback = requested.fallbacks.map((id) => catalogue.get(id)).find(isCalled);
  return fallback && modelAt(fallback, askedAt);
}

/**
 * The cost that the provider reports for the call. An amount without a currency is in that of the model's cost.
 * @returns undefined if its currency is not known
 */
function reportedCost(
  { amount, currency }: NonNullable<Attempt['cost']>,
  model: CatalogueModel | undefined,
): Micro | undefined {
  const rate = currency === 'RUB' ? MICRO : model?.cost && BigInt(model.cost.rate);
  const reported = readDecimal(amount);
  if (rate === undefined || !reported) return undefined;
  const micro: Decimal = { digits: rate, exponent: 0 };
  return Number(roundedHalfUp(product(reported, micro)));
}

const MICRO = 1_000_000n;

/** The cost of a failed attempt is that of the usage that its provider reported; without a report, nothing. */
function costOfUsage({ usage }: Attempt, model: CatalogueModel | undefined): Micro | null {
  if (!usage || !isCounted(usage)) return 0;
  const price = model?.operatorPrice;
  if (!price) return null;
  const { promptTokens, completionTokens } = usage;
  const used = {
    ...usage,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
  const { request, response } = costWithoutAnswer(price, used);
  return request + response;
}

function isCounted({ promptTokens, completionTokens }: Usage): boolean {
  return promptTokens !== null || completionTokens !== null;
}
