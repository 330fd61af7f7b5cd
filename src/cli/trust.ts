import type { Command } from 'commander';
import { defineGroup, type CliContext } from './context.ts';
import { trustCheck } from './trust-check.ts';
import { trustCrawl } from './trust-crawl.ts';
import { trustGraph } from './trust-graph.ts';
import { trustJobs } from './trust-jobs.ts';
import { trustRelease } from './trust-release.ts';
import { trustSeeds } from './trust-seeds.ts';
import { trustWatch } from './trust-watch.ts';

export function trustCommands(program: Command, context: CliContext): void {
  const trust = defineGroup(program, 'trust', 'the trust check and its link graph');
  trustGraph(trust, context);
  trustCrawl(trust, context);
  trustSeeds(trust, context);
  trustCheck(trust, context);
  trustWatch(trust, context);
  trustRelease(trust, context);
  trustJobs(trust, context);
}
