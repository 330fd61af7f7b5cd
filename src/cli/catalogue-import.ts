import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Catalogue, ImportOptions, ImportReport } from '../catalogue/index.ts';
import type { Core } from '../core.ts';
import { migrateInto } from './catalogue-migrate.ts';
import { reportJson, reportText } from './catalogue-import-report.ts';
import {
  importIntoCatalogue,
  importIntoFile,
  type PreparedImport,
} from './catalogue-import-into.ts';
import { ALLOW_UNSET, bindingLines, checkFile } from './catalogue-file.ts';
import { commandAct, define, withCore, type CliContext } from './context.ts';
import { readSource } from './read-text.ts';
import { confirms } from './terminal.ts';

/** The most bytes of a price list; the public ones have up to 5 MB. */
const LIST_BYTES_MAX = 64 * 1024 * 1024;

interface Options extends Pick<ImportOptions, 'markup' | 'longContext'> {
  usdRate?: string;
  litellmConfig?: string;
  newApi?: string;
  provider?: string[];
  map?: string[];
  add?: string[];
  allowFree?: true;
  allowUnset?: true;
  file?: string;
  apply?: true;
}

export function catalogueImport(catalogue: Command, context: CliContext): void {
  define(catalogue, 'import', 'take prices from a price list, or models from another gateway', [
    'zastava catalogue import https://models.dev/api.json --usd-rate 92.5 --markup 20',
    'zastava catalogue import prices.json --usd-rate 92.5 --provider openai --add "gpt-5*" --apply',
    'zastava catalogue import prices.json --usd-rate 92.5 --file catalogue.yaml --apply',
    'zastava catalogue import prices.json --usd-rate 92.5 --litellm-config config.yaml --file new.yaml',
  ])
    .argument(
      '[list]',
      'a price list of models.dev or LiteLLM: a file, an http(s) address, or - for standard input',
    )
    .option('--usd-rate <rubles>', 'rubles for a US dollar; required with prices', decimalArgument)
    .option('--litellm-config <file>', "make a catalogue file of LiteLLM's model_list")
    .option('--new-api <file>', 'make a catalogue file of the channels of new-api or one-api')
    .option('--markup <percent>', 'percent on top of the list', decimalArgument, '0')
    .option('--provider <code...>', 'only these providers of the catalogue')
    .option('--add <name...>', 'also add these models of the list; * stands for any text')
    .option('--map <code=name...>', 'what the list calls a provider, e.g. house=openai')
    .option('--allow-free', 'accept prices of zero, which make a model free for everybody')
    .addOption(
      new Option(
        '--long-context <what>',
        'which price to take if a model costs more for long inputs',
      )
        .choices(['both', 'refuse', 'highest'])
        .default('both'),
    )
    .option(
      '--file <catalogue>',
      'write the prices into this catalogue file, and apply it; with another gateway: the new file',
    )
    .option('--allow-unset', `with --file: ${ALLOW_UNSET}`)
    .option('--apply', 'do not ask')
    .addHelpText('after', '\nIt shows what would change, and asks before it changes anything.')
    .action((source: string | undefined, options: Options, command: Command) => {
      const usage = usageProblem(source, options);
      if (usage !== undefined) command.error(`error: ${usage}`, { exitCode: 2 });
      return start(context, source, options);
    });
}

/** What is missing from the command line. */
function usageProblem(list: string | undefined, options: Options): string | undefined {
  const { litellmConfig, newApi, usdRate, file } = options;
  if (litellmConfig !== undefined && newApi !== undefined) {
    return "give either '--litellm-config' or '--new-api'";
  }
  if ((litellmConfig ?? newApi) === undefined) {
    if (list === undefined) return "missing required argument 'list'";
    return usdRate === undefined
      ? "required option '--usd-rate <rubles>' not specified"
      : undefined;
  }
  return file === undefined ? "required option '--file <catalogue>' not specified" : undefined;
}

async function start(
  context: CliContext,
  given: string | undefined,
  options: Options,
): Promise<void> {
  const { usdRate = '', markup, litellmConfig, newApi, file: path } = options;
  const config = litellmConfig ?? newApi;
  const list =
    given === undefined ? undefined : await readSource(given, LIST_BYTES_MAX, context.terminal);
  if (config === undefined) return run(context, list ?? '', { ...options, usdRate });
  const source = newApi === undefined ? 'litellm-config' : 'new-api';
  const request = {
    source,
    config,
    path: path ?? '',
    list,
    usdRate: options.usdRate,
    markup,
  } as const;
  await migrateInto(context, request);
}

async function run(
  context: CliContext,
  list: string,
  options: Options & { usdRate: string },
): Promise<void> {
  const { output, terminal } = context;
  const { file, usdRate, markup, longContext } = options;
  const { provider: providers = [], map = [], add = [], allowFree = false } = options;
  const request = { usdRate, markup, longContext, providers, map, add, allowFree };
  const work = async (core: Core) => {
    const { catalogue } = core;
    const prepared =
      file === undefined
        ? await importIntoCatalogue(catalogue, list, request)
        : await importIntoFile(catalogue, list, request, { path: file, terminal });
    const { report, also, file: catalogueFile } = prepared;
    const { allowUnset } = options;
    if (catalogueFile) await checkFile(catalogue, catalogueFile, { allowUnset, output });
    if (!output.json) await output.raw(`${reportText(report, also, options)}\n`);
    const refusal = await refusalOf(context, prepared, options.apply ?? false);
    const applied = refusal === undefined;
    if (applied) await prepared.apply(commandAct(core, 'catalogue_imported'));
    for (const line of applied && catalogueFile ? bindingLines(catalogueFile) : [])
      await output.note(line);
    await output.note(refusal ?? 'applied; it takes effect on every running node within 5 s');
    if (output.json) await output.data(reportJson(report, also, { ...options, applied }), '');
    if (applied && file === undefined) await warnOfFiles(context, catalogue, report);
  };
  await withCore(context, work, { mayBegin: true, seals: true });
}

/** Why nothing is applied; undefined if it may be. */
async function refusalOf(
  { output, terminal }: CliContext,
  { report, also }: PreparedImport,
  isConfirmed: boolean,
): Promise<string | undefined> {
  if (written(report).length === 0 && also.length === 0) return 'nothing changes';
  if (isConfirmed) return undefined;
  if (!terminal.interactive || output.json) return 'nothing was applied: repeat with --apply';
  return (await confirms(terminal, 'Apply this?')) ? undefined : 'nothing was applied';
}

/** A catalogue file that is applied later overwrites the imported prices. */
async function warnOfFiles(
  { output }: CliContext,
  catalogue: Catalogue,
  report: ImportReport,
): Promise<void> {
  const touched = new Set(written(report).map(({ modelId }) => modelId));
  const { models } = catalogue.show();
  if (!models.some(({ id, origin }) => origin === 'file' && touched.has(id))) return;
  await output.warn(
    'the next catalogue file that is applied brings its own models and prices back: --file writes these into it',
  );
}

function written({ outcomes }: ImportReport): ImportReport['outcomes'] {
  return outcomes.filter(({ kind }) => kind === 'added' || kind === 'changed');
}

/** Kept as text, since a number would be rounded. @throws InvalidArgumentError */
function decimalArgument(text: string): string {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) {
    throw new InvalidArgumentError('Give a decimal number such as 92.5, at least 0.');
  }
  return text;
}
