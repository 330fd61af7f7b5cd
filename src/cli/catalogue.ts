import type { Command } from 'commander';
import { bindingsOf, formatChange, type CatalogueListing } from '../catalogue/index.ts';
import type { Core } from '../core.ts';
import {
  fixedCharges,
  measures,
  tokenParts,
  tokenTotals,
  type OptionalField,
  type RequiredField,
} from '../lib/units.ts';
import { ALLOW_UNSET, bindingLines, checkFile } from './catalogue-file.ts';
import { cataloguePrices } from './catalogue-prices.ts';
import { catalogueImport } from './catalogue-import.ts';
import { commandAct, define, defineGroup, onCore, withCore, type CliContext } from './context.ts';
import { CATALOGUE_BYTES_MAX, readFile } from './read-text.ts';
import { table, type Column } from './table.ts';

type ListedProvider = CatalogueListing['providers'][number];
type ListedModel = CatalogueListing['models'][number];

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

/** Columns that are shown only if a model has this price. */
const optionalColumns = [
  ...[...tokenParts, ...measures].map(({ heading, field }) => ({ heading, field })),
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
  ['MODALITY', ({ modality }) => modality],
  ['FROM', ({ origin }) => origin],
  ...[...tokenTotals, ...fixedCharges].map(priceColumn),
  ['FALLBACKS', ({ fallbacks }) => fallbacks.join(' ') || '-'],
];

export function catalogueCommands(program: Command, context: CliContext): void {
  const group = defineGroup(program, 'catalogue', 'providers, models and prices');
  define(group, 'apply', 'replace the catalogue by that of a file, as a whole', [
    'zastava catalogue apply catalogue.yaml --dry-run',
    'zastava catalogue apply catalogue.yaml',
  ])
    .argument('<file>', 'a YAML file; - reads standard input')
    .option('--dry-run', 'only show what would change')
    .option('--allow-unset', ALLOW_UNSET)
    .action((file: string, options: ApplyOptions) => apply(context, file, options));
  define(group, 'show', 'show the providers and models in use, without keys', [
    'zastava catalogue show',
    'zastava catalogue show --yaml > catalogue.yaml',
    `zastava catalogue show --json | jq '.models[] | [.id, .model]'`,
  ])
    .option('--yaml', 'the catalogue file in effect instead; keys stand as `(set)`')
    .action(
      onCore(
        context,
        async ({ catalogue }, { yaml }: { yaml?: true }) => {
          if (yaml)
            return [{ revision: catalogue.revision, yaml: catalogue.text() }, catalogue.text()];
          const listing = catalogue.show();
          const { providers, models } = listing;
          const text = `${table(providerColumns, providers)}\n\n${table(columnsFor(models), models)}`;
          return [listing, `${text}\n\nPrices in rubles; /M: a million tokens.`];
        },
        { seals: true },
      ),
    );
  cataloguePrices(group, context);
  catalogueImport(group, context);
}

interface ApplyOptions {
  dryRun?: boolean;
  allowUnset?: boolean;
}

async function apply(context: CliContext, path: string, options: ApplyOptions): Promise<void> {
  const { output, terminal } = context;
  const { dryRun = false, allowUnset } = options;
  const text = await readFile(path, CATALOGUE_BYTES_MAX, terminal);
  const work = async (core: Core) => {
    const { catalogue } = core;
    const file = await catalogue.read(text);
    const unset = await checkFile(catalogue, file, { allowUnset, output });
    const act = commandAct(core, 'catalogue_applied');
    const changes = await catalogue.apply(file, { dryRun, act });
    const lines = changes.map(formatChange);
    const bindings = [...bindingsOf(file.providers)].map(([name, hosts]) => ({ name, hosts }));
    const shown = lines.length > 0 ? lines : ['nothing changes'];
    await output.data(
      {
        dry_run: dryRun,
        changes: changes.map(({ kind, subject, fields = [] }, index) => ({
          kind,
          subject,
          fields,
          text: lines[index],
        })),
        bindings,
        warnings: file.warnings,
        unset,
      },
      [...shown, ...bindingLines(file)].join('\n'),
    );
  };
  await withCore(context, work, { mayBegin: true, seals: true });
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

/** Without an exponent: JavaScript would write the smallest price as 1e-6. */
function decimal(rubles: number): string {
  return rubles.toFixed(6).replace(/\.?0+$/, '');
}
