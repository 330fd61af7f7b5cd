import type { Command } from 'commander';
import { DomainError } from '../lib/errors.ts';
import type { SeedKind } from '../trust/index.ts';
import { beginning, define, defineGroup, withCore, type CliContext } from './context.ts';
import { readFile } from './read-text.ts';
import { counted } from './format.ts';
import { warnOfBadSeeds } from './seed-files.ts';
import { table } from './table.ts';

const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Of the domains that are in both files. */
const DOMAINS_SHOWN = 10;

export function trustSeeds(trust: Command, context: CliContext): void {
  const seeds = defineGroup(trust, 'seeds', 'your own lists of trusted and spam domains');
  const adding = define(
    seeds,
    'add',
    'add a file to a list, a domain a line; takes effect with the next rank',
    [
      'zastava trust seeds add --spam spam-domains.txt',
      'zastava trust seeds add --trusted good-domains.txt',
    ],
  );
  beginning(adding, context)
    .option('--trusted <file>', 'domains to trust; - reads standard input')
    .option('--spam <file>', 'domains of spam; - reads standard input')
    .action((options: Partial<Record<SeedKind, string>>) => add(context, options));
  define(seeds, 'list', 'print both lists', ['zastava trust seeds list']).action(() =>
    withCore(context, async ({ trust: { seeds: lists } }) => {
      const all = await lists.list();
      const text = table(
        [
          ['KIND', ({ kind }) => kind],
          ['DOMAIN', ({ domain }) => domain],
        ],
        all,
      );
      await context.output.data(all, text);
    }),
  );
}

async function add(context: CliContext, options: Partial<Record<SeedKind, string>>): Promise<void> {
  const { output, terminal } = context;
  const files = (['trusted', 'spam'] as const).filter((kind) => options[kind] !== undefined);
  if (files.length === 0) {
    throw new DomainError('invalid_request', 'name a file with --trusted or --spam');
  }
  await withCore(context, async ({ trust: { seeds } }) => {
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
  });
}

/** The file that is read last decides. */
function inBothFiles(domains: readonly string[], kind: SeedKind): string {
  const shown = domains.slice(0, DOMAINS_SHOWN).join(', ');
  const more = domains.length > DOMAINS_SHOWN ? ` and ${domains.length - DOMAINS_SHOWN} more` : '';
  const verb = domains.length === 1 ? 'is' : 'are';
  return `${shown}${more} ${verb} in both files, and on the list ${kind} now`;
}
