import type { Command } from 'commander';
import { DomainError } from '../lib/errors.ts';
import type { SeedKind } from '../trust/index.ts';
import { define, defineGroup, withCore, type CliContext } from './context.ts';
import { readFile } from './read-file.ts';
import { table } from './table.ts';

const FILE_BYTES_MAX = 256 * 1024 * 1024;
const BAD_LINES_SHOWN = 10;

export function trustSeeds(trust: Command, context: CliContext): void {
  const seeds = defineGroup(trust, 'seeds', 'your own lists of trusted and spam domains');
  define(seeds, 'add', 'add a file to a list, a domain a line; takes effect with the next rank', [
    'zastava trust seeds add --spam spam-domains.txt',
    'zastava trust seeds add --trusted good-domains.txt',
  ])
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
    for (const kind of files) {
      const path = options[kind] ?? '';
      const { added, bad } = await seeds.add(kind, await readFile(path, FILE_BYTES_MAX, terminal));
      results.push({ kind, added, bad });
      for (const { line, text, message } of bad.slice(0, BAD_LINES_SHOWN)) {
        await output.warn(`${path} line ${line} passed over: ${text}: ${message}`);
      }
      const more = bad.length - BAD_LINES_SHOWN;
      if (more > 0) await output.warn(`${path}: ${more} more lines passed over`);
    }
    const lines = results.map(({ kind, added }) => `${added} ${kind} domains added`);
    await output.data(results, lines.join('\n'));
  });
}
