import type { Command } from 'commander';
import type { Catalogue } from '../catalogue/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import {
  fixedCharges,
  tokenParts,
  tokenTotals,
  type OptionalField,
  type RequiredField,
} from '../lib/units.ts';
import { table, type Column } from './table.ts';

type Listing = ReturnType<Catalogue['show']>;
type ListedProvider = Listing['providers'][number];
type ListedModel = Listing['models'][number];

const providerColumns: readonly Column<ListedProvider>[] = [
  ['PROVIDER', ({ code }) => code],
  ['KIND', ({ kind }) => kind],
  ['FROM', ({ origin }) => origin],
  ['ADDRESS', ({ base_url: address }) => address ?? 'standard'],
  ['KEY', ({ api_key: key, api_keys: keys }) => keys ?? key ?? '-'],
  ['AT ONCE', ({ max_concurrent: calls }) => String(calls ?? '-'), 'right'],
  ['A MINUTE', ({ max_requests_per_minute: calls }) => String(calls ?? '-'), 'right'],
  ['TIMEOUT', ({ timeout_seconds: seconds }) => `${seconds} s`, 'right'],
];

/** Shown only where a model has this price. */
const optionalColumns = [
  ...tokenParts.map(({ heading, field }) => ({ heading, field })),
  ...tokenTotals.map(({ heading, longField }) => ({
    heading: `LONG ${heading}`,
    field: longField,
  })),
];

const modelColumns: readonly Column<ListedModel>[] = [
  ['ID', ({ id }) => String(id), 'right'],
  ['PROVIDER', ({ code }) => code],
  ['MODEL', ({ model }) => model],
  ['TYPE', ({ type }) => type],
  ['FROM', ({ origin }) => origin],
  ...[...tokenTotals, ...fixedCharges].map(priceColumn),
  ['FALLBACKS', ({ fallbacks }) => fallbacks.join(' ') || '-'],
];

export function catalogueShow(catalogue: Command, context: CliContext): void {
  define(catalogue, 'show', 'show the providers and models in use, without keys', [
    'zastava catalogue show',
    `zastava catalogue show --json | jq '.models[] | [.id, .model]'`,
  ]).action(() =>
    withCore(context, async ({ catalogue: stored }) => {
      const listing = stored.show();
      const { providers, models } = listing;
      const text = `${table(providerColumns, providers)}\n\n${table(columnsFor(models), models)}`;
      await context.output.data(listing, `${text}\n\nPrices in rubles; /M: a million tokens.`);
    }),
  );
}

function columnsFor(models: readonly ListedModel[]): Column<ListedModel>[] {
  const optional = optionalColumns
    .filter(({ field }) => models.some((model) => model[field] !== undefined))
    .map(priceColumn);
  return [...modelColumns.slice(0, -1), ...optional, ...modelColumns.slice(-1)];
}

interface PriceColumn {
  heading: string;
  field: RequiredField | OptionalField;
}

function priceColumn({ heading, field }: PriceColumn): Column<ListedModel> {
  const text = (model: ListedModel) => {
    const rubles = model[field];
    return model.priced && rubles !== undefined ? decimal(rubles) : '-';
  };
  return [heading, text, 'right'];
}

/** Without an exponent: JavaScript writes the smallest price as 1e-6. */
function decimal(rubles: number): string {
  return rubles.toFixed(6).replace(/\.?0+$/, '');
}
