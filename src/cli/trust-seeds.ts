import type { Command } from 'commander';
import { DomainError } from '../lib/errors.ts';
import type { BadSeed, SeedKind } from '../trust/index.ts';
import type { Core } from '../core.ts';
import { define, defineGroup, onCore, withCore, type CliContext } from './context.ts';
import { counted } from './format.ts';
import type { Output } from './output.ts';
import { readFile } from './read-text.ts';
import { printable, table, type Column } from './table.ts';

const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Of a list in a warning. */
const DOMAINS_SHOWN = 10;
const BAD_LINES_SHOWN = 10;

type Files = Partial<Record<SeedKind, string>>;

const columns: readonly Column<{ kind: SeedKind; domain: string }>[] = [
  ['KIND', ({ kind }) => kind],
  ['DOMAIN', ({ domain }) => domain],
];

export function trustSeeds(trust: Command, context: CliContext): void {
  const seeds = defineGroup(trust, 'seeds', 'your own lists of trusted and spam domains');
  define(seeds, 'add', 'add a file to a list, a domain a line; takes effect with the next rank', [
    'zastava trust seeds add --spam spam-domains.txt',
    'zastava trust seeds add --trusted good-domains.txt',
  ])
    .option('--trusted <file>', 'domains to trust; - reads standard input')
    .option('--spam <file>', 'domains of spam; - reads standard input')
    .action((options: Files) => add(context, options));
  define(seeds, 'remove', 'remove domains from both lists; takes effect with the next rank', [
    'zastava trust seeds remove example.com example.org',
    'zastava trust seeds remove - < domains.txt',
  ])
    .argument('<domain...>', 'domains or addresses; - reads standard input, a domain a line')
    .action((domains: string[]) => remove(context, domains));
  define(seeds, 'list', 'print both lists', ['zastava trust seeds list']).action(
    onCore(context, async (core) => {
      const all = await core.trust.seeds.list();
      return [all, table(columns, all)];
    }),
  );
}

async function add(context: CliContext, options: Files): Promise<void> {
  const { output, terminal } = context;
  const files = (['trusted', 'spam'] as const).filter((kind) => options[kind] !== undefined);
  if (files.length === 0) {
    throw new DomainError('invalid_request', 'name a file with --trusted or --spam');
  }
  const work = async ({ trust: { seeds } }: Core) => {
    const results = [];
    const seen = new Set<string>();
    for (const kind of files) {
      const path = options[kind] ?? '';
      const text = await readFile(path, FILE_BYTES_MAX, terminal);
      const { domains, bad } = await seeds.add(kind, text);
      results.push({ kind, added: domains.length, bad });
      await warnOfBadSeeds(output, path, bad);
      const both = domains.filter((domain) => seen.has(domain));
      if (both.length > 0) await output.warn(inBothFiles(both, kind));
      for (const domain of domains) seen.add(domain);
    }
    const lines = results.map(({ kind, added }) => `${counted(added, `${kind} domain`)} added`);
    await output.data(results, lines.join('\n'));
  };
  await withCore(context, work, { mayBegin: true });
}

async function remove(context: CliContext, domains: readonly string[]): Promise<void> {
  const { output, terminal } = context;
  const isPiped = domains.includes('-');
  const text = isPiped ? await terminal.readAll(FILE_BYTES_MAX) : domains.join('\n');
  await withCore(context, async ({ trust: { seeds } }) => {
    const result = await seeds.remove(text);
    const { removed, unknown, bad } = result;
    await warnOfBadSeeds(output, isPiped ? '-' : 'domain', bad);
    if (unknown.length > 0) await output.warn(`on neither list: ${someOf(unknown)}`);
    await output.data(result, `${counted(removed.length, 'domain')} removed`);
  });
}

/** Warns of the lines of a seed file that were skipped. */
export async function warnOfBadSeeds(
  output: Output,
  path: string,
  bad: readonly BadSeed[],
): Promise<void> {
  for (const { line, text, message } of bad.slice(0, BAD_LINES_SHOWN)) {
    await output.warn(`${path} line ${line} skipped: ${printable(text)}: ${message}`);
  }
  const more = bad.length - BAD_LINES_SHOWN;
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
