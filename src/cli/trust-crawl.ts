import type { Command } from 'commander';
import { untilStopRequested } from '../config/index.ts';
import type { Core } from '../core.ts';
import { parseCrawlSeeds, type CrawlSummary } from '../trust/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { commandAct, define, withCore, type CliContext } from './context.ts';
import { withProgress } from './progress.ts';
import { readFile } from './read-text.ts';
import { pairs } from './table.ts';
import { warnOfBadSeeds } from './trust-seeds.ts';

const FILE_BYTES_MAX = 64 * 1024 * 1024;

interface Options {
  seeds?: string;
  pages?: number;
}

export function trustCrawl(trust: Command, context: CliContext): void {
  define(trust, 'crawl', 'read sites politely, and store which links to which', [
    'zastava trust crawl --seeds sites.txt --pages 1000',
    'zastava trust rank',
  ])
    .option(
      '--seeds <file>',
      'sites to begin with, one per line; absent: continue with the sites that wait',
    )
    .option('--pages <n>', 'pages to read in this run', wholeNumberArgument)
    .addHelpText('after', '\nCtrl-C ends it gracefully; the next run continues where it was.')
    .action((options: Options) => run(context, options));
}

async function run(context: CliContext, { seeds: file, pages }: Options): Promise<void> {
  const { output, terminal } = context;
  const seeds: string[] = [];
  if (file !== undefined) {
    const { domains, ...bad } = parseCrawlSeeds(await readFile(file, FILE_BYTES_MAX, terminal));
    seeds.push(...domains);
    await warnOfBadSeeds(output, file, bad);
  }
  const work = async (core: Core) => {
    const summary = await withProgress(context, (update) =>
      untilStopRequested((signal) =>
        core.trust.crawl({
          seeds,
          signal,
          ...(pages !== undefined && { pagesMax: pages }),
          onProgress: ({ pages: done, pagesMax: total, seconds }) =>
            update({ name: 'pages', done, total, rate: done / Math.max(seconds, 1) }),
        }),
      ),
    );
    const { ended, pages: requested, read } = summary;
    await commandAct(core, 'sites_crawled').recordAlone({
      after: { ended, pages: requested, read },
    });
    await output.data(
      summaryView(summary),
      pairs({
        ended: summary.ended,
        'pages asked for': String(summary.pages),
        'pages read': String(summary.read),
        'refused by robots.txt': String(summary.refused),
        'sites finished': String(summary.sitesFinished),
        'sites waiting': String(summary.sitesWaiting),
      }),
    );
    if (seeds.length === 0 && hadNothingToDo(summary)) {
      await output.warn('no site waits to be read: name some with --seeds');
    }
  };
  await withCore(context, work, { mayBegin: true });
}

function summaryView(summary: CrawlSummary) {
  const { ended, pages, pagesMax, read, refused, seconds } = summary;
  return {
    ended,
    pages,
    pages_max: pagesMax,
    read,
    refused,
    seconds,
    sites_finished: summary.sitesFinished,
    sites_active: summary.sitesActive,
    sites_waiting: summary.sitesWaiting,
  };
}

function hadNothingToDo({ ended, pages, refused }: CrawlSummary): boolean {
  return ended === 'complete' && pages === 0 && refused === 0;
}
