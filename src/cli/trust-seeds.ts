import { basename } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DomainError } from '../lib/errors.ts';
import {
  listFormats,
  seedKinds,
  type ListedSites,
  type ListFormat,
  type Seed,
  type SeedKind,
  type SeedSource,
} from '../trust/index.ts';
import type { Core } from '../core.ts';
import { dayArgument } from './arguments.ts';
import { commandAct, define, defineGroup, onCore, withCore, type CliContext } from './context.ts';
import { counted } from './format.ts';
import type { Output } from './output.ts';
import { readFile } from './read-text.ts';
import { printable, table, type Column } from './table.ts';

const FILE_BYTES_MAX = 256 * 1024 * 1024;
const DOMAINS_SHOWN = 10;
const BAD_LINES_SHOWN = 10;

/** The same rule as over HTTP. */
const SOURCE = /^[^\p{Cc}]{1,200}$/u;

interface AddOptions extends Partial<Record<SeedKind, string>> {
  format?: ListFormat;
  source?: string;
  date?: string;
}

const columns: readonly Column<Seed>[] = [
  ['KIND', ({ kind }) => kind],
  ['DOMAIN', ({ domain }) => domain],
  ['SOURCE', ({ source }) => source ?? '-'],
  ['DATE', ({ date }) => date ?? '-'],
];
const sourceColumns: readonly Column<SeedSource>[] = [
  ['KIND', ({ kind }) => kind],
  ['DOMAINS', ({ domains }) => String(domains), 'right'],
  ['SOURCE', ({ source }) => source ?? '-'],
  ['DATE', ({ date }) => date ?? '-'],
];

export function trustSeeds(trust: Command, context: CliContext): void {
  const seeds = defineGroup(trust, 'seeds', 'your own lists of trusted and spam domains');
  define(seeds, 'add', 'add a list of domains; takes effect with the next rank', [
    'zastava trust seeds add --spam spam-domains.txt',
    'zastava trust seeds add --trusted top.csv --format tranco --source Tranco --date 2026-11-01',
  ])
    .option('--trusted <file>', 'domains to trust; - reads standard input')
    .option('--spam <file>', 'domains of spam; - reads standard input')
    .addOption(
      new Option(
        '--format <form>',
        'lines: a domain a line; hosts: a hosts file; adblock: rules ||domain^; csv: with a column of domains; tranco: rank,domain; absent: recognised',
      ).choices(listFormats),
    )
    .option('--source <text>', 'where the list is from; absent: the name of the file', sourceText)
    .option('--date <day>', 'of the list; absent: today', dayArgument)
    .action((options: AddOptions) => add(context, options));
  define(seeds, 'remove', 'remove domains from both lists; takes effect with the next rank', [
    'zastava trust seeds remove example.com example.org',
    'zastava trust seeds remove - < domains.txt',
    'zastava trust seeds remove --source spam-domains.txt',
  ])
    .argument('[domain...]', 'domains or addresses; - reads standard input, a domain a line')
    .option('--source <text>', 'remove all that this source named last')
    .action((domains: string[], options: { source?: string }) =>
      options.source === undefined
        ? remove(context, domains)
        : removeSource(context, domains, options.source),
    );
  define(seeds, 'list', 'print both lists, with their sources', [
    'zastava trust seeds list',
    'zastava trust seeds list --sources',
  ])
    .option('--sources', 'only how many domains are from which source')
    .action(
      onCore(context, async ({ trust: { seeds: lists } }, { sources }: { sources?: true }) => {
        if (sources) {
          const found = await lists.sources();
          return [found, table(sourceColumns, found)];
        }
        const all = await lists.list();
        return [all, table(columns, all)];
      }),
    );
}

function sourceText(text: string): string {
  if (SOURCE.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 200 characters, without control characters.');
}

async function add(context: CliContext, options: AddOptions): Promise<void> {
  const { output, terminal } = context;
  const { format, date } = options;
  const files = seedKinds.filter((kind) => options[kind] !== undefined);
  if (files.length === 0) {
    throw new DomainError('invalid_request', 'name a file with --trusted or --spam');
  }
  const work = async (core: Core) => {
    const { seeds } = core.trust;
    const results = [];
    const lines = [];
    const seen = new Set<string>();
    for (const kind of files) {
      const path = options[kind] ?? '';
      const text = await readFile(path, FILE_BYTES_MAX, terminal);
      const source = options.source ?? (path === '-' ? 'standard input' : basename(path));
      const act = commandAct(core, 'seeds_added');
      const { domains, ...added } = await seeds.add(kind, text, { format, source, date, act });
      const { bad, badCount, moved } = added;
      const counts = { added: domains.length, moved, format: added.format, source };
      results.push({ kind, ...counts, bad, bad_count: badCount });
      lines.push(addedLine(kind, counts));
      await warnOfBadSeeds(output, path, added);
      const both = domains.filter((domain) => seen.has(domain));
      if (both.length > 0) await output.warn(inBothFiles(both, kind));
      for (const domain of domains) seen.add(domain);
    }
    await output.data(results, lines.join('\n'));
  };
  await withCore(context, work, { mayBegin: true });
}

function addedLine(
  kind: SeedKind,
  { added, moved, format }: { added: number; moved: number; format: ListFormat },
): string {
  const read = format === 'lines' ? '' : `, read as ${format}`;
  const from = moved > 0 ? `, ${moved} of them from the other list` : '';
  return `${counted(added, `${kind} domain`)} added${from}${read}`;
}

async function remove(context: CliContext, domains: readonly string[]): Promise<void> {
  const { output, terminal } = context;
  if (domains.length === 0) {
    throw new DomainError('invalid_request', 'name domains, or a source with --source');
  }
  const isPiped = domains.includes('-');
  const text = isPiped ? await terminal.readAll(FILE_BYTES_MAX) : domains.join('\n');
  await withCore(context, async (core) => {
    const act = commandAct(core, 'seeds_removed');
    const { removed, unknown, bad, badCount } = await core.trust.seeds.remove(text, act);
    await warnOfBadSeeds(output, isPiped ? '-' : 'domain', { bad, badCount });
    if (unknown.length > 0) await output.warn(`on neither list: ${someOf(unknown)}`);
    const result = { removed, unknown, bad, bad_count: badCount };
    await output.data(result, `${counted(removed.length, 'domain')} removed`);
  });
}

async function removeSource(
  context: CliContext,
  domains: readonly string[],
  source: string,
): Promise<void> {
  if (domains.length > 0) {
    throw new DomainError('invalid_request', 'name either domains or a source');
  }
  await withCore(context, async (core) => {
    const act = commandAct(core, 'seeds_removed');
    const removed = await core.trust.seeds.removeSource(source, act);
    await context.output.data({ source, removed }, `${counted(removed, 'domain')} removed`);
  });
}

export async function warnOfBadSeeds(
  output: Output,
  path: string,
  { bad, badCount }: Pick<ListedSites, 'bad' | 'badCount'>,
): Promise<void> {
  const shown = bad.slice(0, BAD_LINES_SHOWN);
  for (const { line, text, message } of shown) {
    await output.warn(`${path} line ${line} skipped: ${printable(text)}: ${message}`);
  }
  const more = badCount - shown.length;
  if (more > 0) await output.warn(`${path}: ${counted(more, 'more line')} skipped`);
}

/** The file that is read last decides. */
function inBothFiles(domains: readonly string[], kind: SeedKind): string {
  const verb = domains.length === 1 ? 'is' : 'are';
  return `${someOf(domains)} ${verb} in both files, and on the list ${kind} now`;
}

function someOf(domains: readonly string[]): string {
  const shown = domains.slice(0, DOMAINS_SHOWN).join(', ');
  return domains.length > DOMAINS_SHOWN
    ? `${shown} and ${domains.length - DOMAINS_SHOWN} more`
    : shown;
}
