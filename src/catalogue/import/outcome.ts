import { formatChange, type FieldChange } from '../changes.ts';
import { decimalText } from '../../lib/decimal.ts';
import { unitName } from '../../lib/price-fields.ts';
import { tokenParts, tokenTotals } from '../../lib/units.ts';
import type { ListFormat, ListPrices } from './price-list.ts';

/** The result for one row of a list and one model of the catalogue. */
export interface ImportOutcome {
  /**
   * `refused`: the row has no usable price; see `reason`. `skipped`: the row was not requested, since the catalogue has
   * no such model or provider.
   */
  kind: 'added' | 'changed' | 'unchanged' | 'refused' | 'skipped';
  /** The list's names of the provider and the row. */
  listProvider: string;
  listModel: string;
  /** e.g. `model 101 openai/gpt-5-mini`; undefined if it is not a model of the catalogue. */
  subject?: string | undefined;
  provider?: string | undefined;
  modelId?: number | undefined;
  fields: FieldChange[];
  reason?: string | undefined;
  /** A note about an added model. */
  note?: string | undefined;
  /** The listed prices in dollars, per 1,000,000 tokens, per request or per image. */
  usd?: Readonly<Record<string, string>> | undefined;
}

export interface NotListed {
  modelId: number | undefined;
  provider: string;
  model: string;
  reason: string;
}

export interface ImportReport {
  format: ListFormat;
  outcomes: ImportOutcome[];
  notListed: NotListed[];
}

/** One line, e.g. `refused model 103 openai/dall-e-2: it is priced per pixel`. */
export function formatOutcome(outcome: ImportOutcome): string {
  const { kind, subject, fields, reason, note, listProvider, listModel } = outcome;
  const name = subject ?? `${listProvider || '(no provider)'} ${listModel}`;
  if (kind === 'changed') return formatChange({ kind, subject: name, fields });
  const price = fields.map(({ field, to }) => `${field} ${String(to)}`).join(', ');
  const details = [kind === 'added' ? price : '', reason ?? '', note ?? ''].filter(
    (text) => text !== '',
  );
  return `${kind} ${name}${details.length > 0 ? `: ${details.join('; ')}` : ''}`;
}

export function outcomeView(outcome: ImportOutcome) {
  return {
    outcome: outcome.kind,
    list_provider: outcome.listProvider,
    list_model: outcome.listModel,
    provider: outcome.provider ?? null,
    model_id: outcome.modelId ?? null,
    fields: outcome.fields,
    usd: outcome.usd ?? null,
    reason: outcome.reason ?? null,
    note: outcome.note ?? null,
    text: formatOutcome(outcome),
  };
}

export function notListedView({ modelId, provider, model, reason }: NotListed) {
  return { model_id: modelId ?? null, provider, model, reason };
}

/** The dollars of a listed price by unit, e.g. `{ input_tokens: '0.25', image: '0.04' }`. */
export function usdTexts(prices: ListPrices): Record<string, string> {
  const named = [
    ...[...tokenTotals, ...tokenParts].map(
      ({ price, field }) => [unitName(field), prices[price]] as const,
    ),
    ['request', prices.inputFix] as const,
    ['image', prices.outputFix] as const,
  ];
  return Object.fromEntries(
    named.flatMap(([name, price]) => (price ? [[name, decimalText(price)]] : [])),
  );
}
