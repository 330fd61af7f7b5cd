import type { Command } from 'commander';
import type { LeftOut } from '../trust/index.ts';
import { beginning, define, withCore, type CliContext } from './context.ts';
import { wholeNumberArgument } from './arguments.ts';
import { lowerPriority } from './low-priority.ts';
import { withProgress } from './progress.ts';
import { pairs } from './table.ts';

/** Bad lines that are shown of one file. */
const BAD_LINES_SHOWN = 5;

interface Options {
  vertices: string;
  edges: string;
  release?: string;
  memoryMib?: number;
}

export function trustImport(trust: Command, context: CliContext): void {
  const command = define(
    trust,
    'import',
    'import a domain graph in the format of Common Crawl as a release',
    [
      'zastava trust import --vertices domain-vertices.txt.gz --edges domain-edges.txt.gz',
      'zastava trust rank',
    ],
  );
  beginning(command, context)
    .requiredOption('--vertices <file-or-url>', 'lines of id TAB reversed.domain, may be gzipped')
    .requiredOption('--edges <file-or-url>', 'lines of from TAB to, may be gzipped')
    .option('--release <name>', 'its name; absent: after the file')
    .option('--memory-mib <n>', 'MiB for buffers', wholeNumberArgument)
    .addHelpText('after', '\nAfter a kill, the same command continues where it was.')
    .action((options: Options) => run(context, options));
}

async function run(context: CliContext, options: Options): Promise<void> {
  lowerPriority();
  const { output } = context;
  const name = options.release ?? nameAfter(options.vertices);
  await withCore(context, async ({ trust }) => {
    const manifest = await withProgress(context, (progress) =>
      trust.store.importGraph({
        name,
        vertices: options.vertices,
        edges: options.edges,
        ...(options.memoryMib !== undefined && { memoryMiB: options.memoryMib }),
        onProgress: ({ phase, done, total, rate }) =>
          progress.update({ name: phase, done, total, rate }),
      }),
    );
    const { nodes, edges, left_out: leftOut } = manifest;
    await output.data(
      { release: name, nodes, edges, left_out: leftOut },
      pairs({
        release: name,
        domains: String(nodes),
        links: String(edges),
        ...leftOutPairs(leftOut),
      }),
    );
    await printBadLines(context, options.vertices, leftOut.vertex_lines);
    await printBadLines(context, options.edges, leftOut.edge_lines);
    await output.note(`rank it next: zastava trust rank --release ${name}`);
  });
}

/** What was left out of the release, by reason; reasons without a case are absent. */
function leftOutPairs(leftOut: LeftOut): Record<string, string> {
  const counts = {
    'vertex lines left out': leftOut.vertex_lines.count,
    'edge lines left out': leftOut.edge_lines.count,
    'links of such vertices': leftOut.edges_of_skipped_vertices,
    'links to themselves': leftOut.self_loops,
    'repeated links': leftOut.repeated_edges,
  };
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return Object.fromEntries(found.map(([what, count]) => [what, String(count)]));
}

/** With --json the result has them. */
async function printBadLines(
  { output }: CliContext,
  path: string,
  { count, examples }: LeftOut['edge_lines'],
): Promise<void> {
  const shown = examples.slice(0, BAD_LINES_SHOWN);
  for (const { line, message } of shown) await output.note(`${path} line ${line}: ${message}`);
  if (count > shown.length) await output.note(`${path}: and ${count - shown.length} more`);
}

/**
 * `…/cc-main-2026-domain-vertices.txt.gz` becomes `cc-main-2026-domain`, so that a repeated command gets the same name.
 * The query of an address is left out: it may hold a signature, which is secret and differs each time.
 */
function nameAfter(vertices: string): string {
  const path = /^https?:\/\//i.test(vertices) ? vertices.replace(/[?#].*$/s, '') : vertices;
  const file = path.split(/[/\\?#]/).findLast((part) => part !== '') ?? '';
  const stem = file
    .replace(/\.gz$/, '')
    .replace(/\.\w+$/, '')
    .replace(/[-_.]?vertices$/, '');
  const name = stem.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, 64) || 'import';
}
