import type { Command } from 'commander';
import { rankRelease, releaseToRank } from '../trust/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import { withProgress } from './progress.ts';
import { pairs } from './table.ts';

export function trustRank(trust: Command, context: CliContext): void {
  define(trust, 'rank', 'score a release, and answer checks from it from then on', [
    'zastava trust rank',
    'zastava trust rank --release cc-main-2026-domain',
  ])
    .option('--release <name>', 'absent: the newest import, with what was crawled')
    .action((options: { release?: string }) => run(context, options));
}

async function run(context: CliContext, options: { release?: string }): Promise<void> {
  const { output } = context;
  await withCore(context, async ({ trust, clock, db }) => {
    const { store, seeds } = trust;
    const name = await withProgress(context, (progress) =>
      releaseToRank(
        { store, db, clock },
        {
          name: options.release,
          onProgress: ({ phase, done, total, rate }) =>
            progress.update({ name: phase, done, total, rate }),
        },
      ),
    );
    const steps: Promise<void>[] = [];
    const onStep = (step: string) => void steps.push(output.note(step));
    const report = await rankRelease(store, seeds, clock, { name, onStep });
    await Promise.all(steps);
    const { pageRank } = report.runs;
    await output.data(
      report,
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
