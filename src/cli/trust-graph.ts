import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import type { Core } from '../core.ts';
import {
  guardedInput,
  rankRelease,
  releaseToRank,
  scoresBefore,
  suffixReadings,
  type Language,
  type LeftOut,
  type RankReport,
  type SuffixReading,
} from '../trust/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { commandAct, define, withCore, type CliContext } from './context.ts';
import { languageOfTerminal, languageOption } from './language.ts';
import { withProgress } from './progress.ts';
import { pairs } from './table.ts';
import { diffText, diffView, diffWith } from './trust-rank-diff.ts';

const BAD_LINES_SHOWN = 5;
/** The most bytes of the two URLs that a server passes. */
const ADDRESSES_MAX = 4 * 2 ** 20;
const addressesSchema = z.tuple([z.string(), z.string()]);
/** The default of `nice`. */
const PRIORITY_STEP = 10;
/** Linux ends processes with a high score first when memory runs out: -1000 to 1000, usually 0 (proc(5)). */
const OOM_SCORE_FILE = '/proc/self/oom_score_adj';
const OOM_SCORE = '500';

interface RankOptions {
  release?: string;
  memoryMib?: number;
  diff?: true;
  lang?: Language;
}

interface ImportOptions extends RankOptions {
  vertices: string;
  edges: string;
  suffixes?: SuffixReading;
  foldHosts?: true;
  guarded?: true;
}

/** The commands that make a release of the link graph. */
export function trustGraph(trust: Command, context: CliContext): void {
  define(trust, 'import', 'import a domain graph in the format of Common Crawl as a release', [
    'zastava trust import --vertices domain-vertices.txt.gz --edges domain-edges.txt.gz',
    'zastava trust rank',
  ])
    .requiredOption('--vertices <file-or-url>', 'lines of id TAB reversed.domain, may be gzipped')
    .requiredOption('--edges <file-or-url>', 'lines of from TAB to, may be gzipped')
    .addOption(
      new Option('--guarded', 'for servers: a list of both addresses is read from -').hideHelp(),
    )
    .option('--release <name>', 'its name; absent: after the file')
    .addOption(
      new Option(
        '--suffixes <reading>',
        'public suffixes that its names were made with: icann, or private for both sections; absent: recognised',
      ).choices(suffixReadings),
    )
    .option('--fold-hosts', 'fold the hosts of a host graph to their domains')
    .option('--memory-mib <n>', 'MiB for buffers', wholeNumberArgument)
    .addHelpText('after', '\nAfter a kill, the same command continues where it was.')
    .action((options: ImportOptions) => importGraph(context, options));
  define(trust, 'rank', 'score a release, and answer checks from it', [
    'zastava trust rank',
    'zastava trust rank --release cc-main-2026-domain',
    'zastava trust rank --diff',
  ])
    .option('--release <name>', 'absent: the newest import, with what was crawled')
    .option('--memory-mib <n>', 'MiB for the rows and vectors; less is slower', wholeNumberArgument)
    .option('--diff', 'then show which domains changed colour, and which terms moved them')
    .addOption(languageOption('the comparison'))
    .action((options: RankOptions) => rank(context, options));
}

async function importGraph(context: CliContext, options: ImportOptions): Promise<void> {
  const { output, terminal, lowerPriority = lowerOwnPriority } = context;
  lowerPriority();
  const { guarded } = options;
  const given = guarded && addressesSchema.parse(JSON.parse(await terminal.readAll(ADDRESSES_MAX)));
  const [vertices, edges] = given ?? [options.vertices, options.edges];
  const { release: name = nameAfter(vertices), suffixes, foldHosts } = options;
  const work = async (core: Core) => {
    const { trust } = core;
    const inputOf = (source: string) => (given ? guardedInput(source, trust.fetch) : source);
    const manifest = await withProgress(context, (update) =>
      trust.store.importGraph({
        name,
        vertices: inputOf(vertices),
        edges: inputOf(edges),
        suffixes,
        foldHosts,
        ...memoryOf(options),
        onProgress: ({ phase, ...step }) => update({ name: phase, ...step }),
      }),
    );
    const act = commandAct(core, 'graph_imported');
    await act.recordAlone({
      subject: name,
      after: { domains: manifest.nodes, links: manifest.edges },
    });
    const { nodes, edges: links, left_out: leftOut, hosts_folded: folded } = manifest;
    await output.data(
      {
        release: name,
        nodes,
        edges: links,
        suffixes: manifest.suffixes,
        hosts_folded: folded,
        left_out: leftOut,
      },
      pairs({
        release: name,
        domains: String(nodes),
        links: String(links),
        suffixes: manifest.suffixes,
        ...(folded > 0 && { 'hosts folded': String(folded) }),
        ...leftOutPairs(leftOut),
      }),
    );
    await printBadLines(context, vertices, leftOut.vertex_lines);
    await printBadLines(context, edges, leftOut.edge_lines);
    await output.note(`rank it next: zastava trust rank --release ${name}`);
  };
  await withCore(context, work, { mayBegin: true });
}

async function rank(context: CliContext, options: RankOptions): Promise<void> {
  const { output, lowerPriority = lowerOwnPriority } = context;
  lowerPriority();
  await withCore(context, async (core) => {
    const { trust, clock, db } = core;
    const { store, seeds } = trust;
    const name = await withProgress(context, (update) =>
      releaseToRank(
        { store, db, clock },
        {
          name: options.release,
          ...memoryOf(options),
          onProgress: ({ phase, ...step }) => update({ name: phase, ...step }),
        },
      ),
    );
    const before = options.diff && scoresBefore(store, name);
    const steps: Promise<void>[] = [];
    const onStep = (step: string) => void steps.push(output.progress({ step }, step));
    const report = await rankRelease(store, seeds, clock, { name, onStep, ...memoryOf(options) });
    await Promise.all(steps);
    const ranked = { domains: report.nodes, links: report.edges };
    await commandAct(core, 'graph_ranked').recordAlone({ subject: name, after: ranked });
    const { pageRank } = report.runs;
    const text = pairs({
      release: report.release,
      domains: String(report.nodes),
      links: String(report.edges),
      'seeds by rule': String(report.seeds.institutions),
      'trusted seeds': String(report.seeds.trusted),
      'spam seeds': String(report.seeds.spam),
      PageRank: `${pageRank.iterations} iterations, residual ${pageRank.residual.toExponential(1)}`,
    });
    const isBase = store.currentName() !== report.release;
    const role = isBase ? 'it stays the base' : 'checks are answered from this release now';
    const diff = before && (await diffWith(context, trust, before, name));
    const language = options.lang ?? languageOfTerminal(context.env);
    await output.data(
      { ...rankView(report), ...(diff && { diff: diffView(diff) }) },
      `${text}\n${role}${diff ? `\n\n${diffText(diff, language)}` : ''}`,
    );
    if (report.reach < 1) {
      await output.warn(
        'trust reaches too few domains of this release: domains of a link farm may count as independent donors, so scores may be too high',
      );
    }
    if (options.diff && !before) {
      await output.warn('no release had scores before, so there is nothing to compare with');
    }
  });
}

function rankView({ release, nodes, edges, seeds, reach, runs }: RankReport) {
  return {
    release,
    nodes,
    edges,
    seeds,
    reach,
    runs: {
      page_rank: runs.pageRank,
      trust_rank: runs.trustRank,
      anti_trust_rank: runs.antiTrustRank,
    },
  };
}

function memoryOf({ memoryMib }: RankOptions): { memoryMiB?: number } {
  return memoryMib === undefined ? {} : { memoryMiB: memoryMib };
}

/** What was left out of the release, by reason; reasons without a case are not listed. */
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

/** With --json the result contains them. */
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

/**
 * Lowers the priority of this process below that of a server on the same machine, for processor time and when memory
 * runs out.
 */
function lowerOwnPriority(): void {
  const steps = [
    () => setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + PRIORITY_STEP)),
    () => writeFileSync(OOM_SCORE_FILE, OOM_SCORE),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // The system does not allow it: the work runs at the usual priority.
    }
  }
}
