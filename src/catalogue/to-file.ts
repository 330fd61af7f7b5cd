/** Turns the stored part of the operator's file into a file again, without secrets. */
import { stringify } from 'yaml';
import { toRubles } from '../lib/money.ts';
import { longAboveField, priceFields } from '../lib/price-fields.ts';
import { type Price } from '../lib/units.ts';
import { masked } from './references.ts';
import { usualModality } from './modality.ts';
import { costView, type OperatorCost } from './operator-cost.ts';
import { inUse, type StoredCatalogue, type StoredModel } from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';

type Line = Record<string, unknown>;

/**
 * A catalogue file (YAML) with the current content of the operator's file, including imported prices. Applying it
 * changes nothing. Presets and built-in models are not part of it.
 */
export function catalogueText(stored: StoredCatalogue): string {
  const { providers, models } = inUse(stored);
  const { sandbox } = stored;
  const rates = newestRates(ofFile(models));
  return stringify({
    ...(sandbox !== null && { sandbox }),
    ...(rates.size > 0 && { rates: Object.fromEntries(rates) }),
    providers: Object.fromEntries(
      ofFile(providers).map(({ facts }) => [facts.code, providerLine(facts)]),
    ),
    models: ofFile(models).map((model) => modelLine(model, rates)),
  });
}

function ofFile<T extends { origin: string }>(rows: readonly T[]): T[] {
  return rows.filter(({ origin }) => origin === 'file');
}

function providerLine(facts: ProviderFacts): Line {
  const { kind, baseUrl, keys, options, headers, extraBody } = facts;
  const shown = keys.map(({ key, weight }) => ({ key: masked(key), weight }));
  const [first] = shown;
  const isOne = shown.length === 1 && first?.weight === 1;
  const hidden = Object.entries(headers ?? {}).map(([name, value]) => [name, masked(value)]);
  return {
    kind,
    ...(baseUrl !== null && { base_url: baseUrl }),
    ...(isOne && { api_key: first.key }),
    ...(!isOne && shown.length > 0 && { api_keys: shown }),
    timeout_seconds: facts.timeoutSeconds,
    ...given('max_concurrent', facts.maxConcurrent),
    ...given('max_requests_per_minute', facts.maxRequestsPerMinute),
    ...(Object.keys(options).length > 0 && { options }),
    ...(headers && { headers: Object.fromEntries(hidden) as Line }),
    ...given('extra_body', extraBody),
  };
}

function modelLine({ id, facts, fallbacks }: StoredModel, rates: RateLines): Line {
  const { alias, imagesAllowed, modality, price, hours, cost } = facts;
  return {
    id,
    provider: facts.provider,
    model: facts.model,
    description: facts.description,
    ...(facts.descriptionFull !== '' && { description_full: facts.descriptionFull }),
    ...(alias !== null && { model_alias: alias }),
    type: facts.type,
    ...(modality !== usualModality(facts.type) && { modality }),
    max_input_tokens: facts.maxInputTokens,
    max_output_tokens: facts.maxOutputTokens,
    min_temperature: facts.minTemperature,
    max_temperature: facts.maxTemperature,
    is_chat_mode_allowed: facts.chatAllowed ? 1 : 0,
    ...(imagesAllowed !== undefined && { is_image_input_allowed: imagesAllowed ? 1 : 0 }),
    ...priceLines(price),
    ...given('cost_hours', hours),
    ...given('cost', cost && costLine(cost, rates)),
    ...(fallbacks.length > 0 && { fallbacks: [...fallbacks] }),
  };
}

type RateLines = ReadonlyMap<string, { rub: number; date: string }>;

/** The newest rate of each currency. A cost at another rate names its rate. */
function newestRates(models: readonly StoredModel[]): RateLines {
  const newest = new Map<string, { rub: number; date: string }>();
  for (const { facts } of models) {
    const { currency = '', rate = 0, rateDate: date = null } = facts.cost ?? {};
    if (date === null) continue;
    const known = newest.get(currency);
    if (!known || known.date < date) newest.set(currency, { rub: toRubles(rate), date });
  }
  return newest;
}

function costLine(cost: OperatorCost, rates: RateLines): Line {
  const { rate, rate_date: date, ...line } = costView(cost);
  const shared = rates.get(cost.currency);
  const isShared = shared?.rub === rate && shared?.date === date;
  return isShared ? line : { ...line, ...given('rate', rate), ...given('rate_date', date) };
}

function priceLines(price: Price | null): Line {
  if (!price) return {};
  const lines: Line = {};
  for (const { price: name, field } of priceFields) {
    const amount = price[name];
    if (amount !== undefined) lines[field] = toRubles(amount);
  }
  return { ...lines, ...given(longAboveField, price.longAbove) };
}

function given(field: string, value: unknown): Line {
  return value === undefined ? {} : { [field]: value };
}
