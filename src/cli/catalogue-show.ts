import type { Command } from 'commander';
import type { Catalogue } from '../catalogue/index.ts';
import { define, withCore, type CliContext } from './context.ts';
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

/** Shown when a model has such a price. */
const ownPriceColumns = [
  ['CACHED /M', 'cost_cached_input_tokens_rub'],
  ['WRITTEN /M', 'cost_cache_write_tokens_rub'],
  ['THOUGHT /M', 'cost_reasoning_tokens_rub'],
  ['LONG IN /M', 'cost_long_input_tokens_rub'],
  ['LONG OUT /M', 'cost_long_output_tokens_rub'],
] as const;

const modelColumns: readonly Column<ListedModel>[] = [
  ['ID', ({ id }) => String(id), 'right'],
  ['PROVIDER', ({ code }) => code],
  ['MODEL', ({ model }) => model],
  ['TYPE', ({ type }) => type],
  ['FROM', ({ origin }) => origin],
  ['IN /M', (model) => price(model, model.cost_input_tokens_rub), 'right'],
  ['OUT /M', (model) => price(model, model.cost_output_tokens_rub), 'right'],
  ['A REQUEST', (model) => price(model, model.cost_input_fix_rub), 'right'],
  ['AN ANSWER', (model) => price(model, model.cost_output_fix_rub), 'right'],
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
  const own = ownPriceColumns
    .filter(([, field]) => models.some((model) => model[field] !== undefined))
    .map(([heading, field]): Column<ListedModel> => [
      heading,
      (model) => price(model, model[field]),
      'right',
    ]);
  return [...modelColumns.slice(0, -1), ...own, ...modelColumns.slice(-1)];
}

/** A model without a price is for admins only. */
function price({ priced }: ListedModel, rubles: number | undefined): string {
  return priced && rubles !== undefined ? decimal(rubles) : '-';
}

/** JSON's numbers are exact here, but JavaScript writes the smallest as 1e-6. */
function decimal(rubles: number): string {
  return rubles.toFixed(6).replace(/\.?0+$/, '');
}
