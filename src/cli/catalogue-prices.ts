import { InvalidArgumentError, type Command } from 'commander';
import {
  formatChange,
  priceSchema,
  versionView,
  type DatedVersion,
  type ModelView,
  type RawPrice,
} from '../catalogue/index.ts';
import { DomainError } from '../lib/errors.ts';
import { priceFieldNames } from '../lib/price-fields.ts';
import { wholeNumberFrom } from './arguments.ts';
import { commandAct, define, onCore, type CliContext } from './context.ts';
import { time } from './format.ts';
import { pairs, table, type Column } from './table.ts';

const VERSIONS_DEFAULT = 50;

const versionColumns: readonly Column<DatedVersion>[] = [
  ['VERSION', ({ id }) => String(id), 'right'],
  ['FROM', ({ validFrom }) => time(validFrom)],
  [
    'CHANGED',
    ({ fields, view }) =>
      fields.map(({ field, from, to }) => `${field} ${from ?? '-'} -> ${to ?? '-'}`).join(', ') ||
      pricesOf(view),
  ],
];

/** The first price of a model, for which nothing was changed. */
function pricesOf(view: ModelView): string {
  if (!view.priced) return 'at first: no price';
  const prices = priceFieldNames.filter((field) => view[field]);
  return `at first: ${prices.map((field) => `${field} ${view[field]}`).join(', ') || 'free'}`;
}

interface PriceOptions {
  none?: true;
  dryRun?: true;
}

/** The commands about one model. */
export function cataloguePrices(group: Command, context: CliContext): void {
  define(group, 'price', 'set the price of one model; the next file sets its own again', [
    'zastava catalogue price 101 cost_input_tokens_rub=25 cost_output_tokens_rub=200 --dry-run',
    'zastava catalogue price 101 --none',
  ])
    .argument('<id>', 'of the model', wholeNumberFrom(1))
    .argument('[fields...]', 'the whole price, FIELD=RUBLES as in a file', fieldArgument, {})
    .option('--none', 'no price: for admins only')
    .option('--dry-run', 'only show what would change')
    .action(
      onCore(
        context,
        async (core, id: number, fields: RawPrice, options: PriceOptions) => {
          const isNone = options.none ?? false;
          if ((Object.keys(fields).length === 0) !== isNone) {
            throw new DomainError('invalid_request', 'give the fields of the price, or --none');
          }
          const dryRun = options.dryRun ?? false;
          const act = commandAct(core, 'price_set');
          const price = isNone ? null : fields;
          const changes = await core.catalogue.setPrice(id, price, { dryRun, act });
          const lines = changes.map(formatChange);
          const value = {
            dry_run: dryRun,
            changes: changes.map((change, index) => ({ ...change, text: lines[index] })),
          };
          return [value, lines.join('\n') || 'nothing changes'];
        },
        { seals: true },
      ),
    );
  define(group, 'versions', 'list the versions of a model with their dates, newest first', [
    'zastava catalogue versions 101',
  ])
    .argument('<id>', 'of the model', wholeNumberFrom(1))
    .option('--limit <n>', `at most so many; absent: ${VERSIONS_DEFAULT}`, wholeNumberFrom(1))
    .action(
      onCore(context, async ({ catalogue }, id: number, { limit }: { limit?: number }) => {
        const { provider, model } = catalogue.anyVersion(id).facts;
        const versions = await catalogue.versionsOf(id, limit ?? VERSIONS_DEFAULT);
        const name = pairs({ model: `${id} ${provider}/${model}` });
        return [versions.map(versionView), `${name}\n\n${table(versionColumns, versions)}`];
      }),
    );
}

/** Adds `FIELD=VALUE` to the price. @throws InvalidArgumentError */
function fieldArgument(text: string, before: RawPrice): RawPrice {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  // Amounts stay texts, so that they are read exactly.
  const isCount = name === 'long_context_above_tokens' || name === 'cost_tokens_per';
  const field = { [name]: isCount ? Number(value) : value };
  const read = at < 0 ? undefined : priceSchema.safeParse(field);
  if (read?.success) return { ...before, ...read.data };
  const known = Object.keys(priceSchema.shape).join(', ');
  throw new InvalidArgumentError(`Give FIELD=RUBLES, with a field of ${known}.`);
}
