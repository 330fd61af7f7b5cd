import type { Command } from 'commander';
import { rankRelease, releaseToRank, type RankReport } from '../trust/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { lowerPriority } from './low-priority.ts';
import { withProgress } from './progress.ts';
import { pairs } from './table.ts';

interface Options {
  release?: string;
  memoryMib?: number;
}

export function trustRank(trust: Command, context: CliContext): void {
  define(trust, 'rank', 'score a release, and answer checks from it', [
    'zastava trust rank',
    'zastava trust rank --release cc-main-2026-domain',
  ])
    .option('--release <name>', 'absent: the newest import, with what was crawled')
    .option('--memory-mib <n>', 'MiB for the rows and vectors; less is slower', wholeNumberArgument)
    .action((options: Options) => run(context, options));
}

async function run(context: CliContext, options: Options): Promise<void> {
  lowerPriority();
  const { output } = context;
  const memory = options.memoryMib === undefined ? {} : { memoryMiB: options.memoryMib };
  await withCore(context, async ({ trust, clock, db }) => {
    const { store, seeds } = trust;
    const name = await withProgress(context, (progress) =>
      releaseToRank(
        { store, db, clock },
        {
          name: options.release,
          ...memory,
          onProgress: ({ phase, done, total, rate }) =>
            progress.update({ name: phase, done, total, rate }),
        },
      ),
    );
    const steps: Promise<void>[] = [];
    const onStep = (step: string) => void steps.push(output.progress({ step }, step));
    const report = await rankRelease(store, seeds, clock, { name, onStep, ...memory });
    await Promise.all(steps);
    const { pageRank } = report.runs;
    await output.data(
      reportView(report),
      [
        pairs({
          release: report.release,
          domains: String(report.nodes),
          links: String(report.edges),
          'seeds by rule': String(report.seeds.institutions),
          'trusted seeds': String(report.seeds.trusted),
          'spam seeds': String(report.seeds.spam),
          PageRank: `${pageRank.iterations} iterations, residual ${pageRank.residual.toExponential(1)}`,
        }),
        'checks are answered from this release now',
      ].join('\n'),
    );
  });
}

function reportView({ release, nodes, edges, seeds, runs }: RankReport) {
  return {
    release,
    nodes,
    edges,
    seeds,
    runs: {
      page_rank: runs.pageRank,
      trust_rank: runs.trustRank,
      anti_trust_rank: runs.antiTrustRank,
    },
  };
}
