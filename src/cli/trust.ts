import type { Command } from 'commander';
import { defineGroup, type CliContext } from './context.ts';
import { trustCheck } from './trust-check.ts';
import { trustCrawl } from './trust-crawl.ts';
import { trustImport } from './trust-import.ts';
import { trustRank } from './trust-rank.ts';
import { trustRelease } from './trust-release.ts';
import { trustSeeds } from './trust-seeds.ts';

export function trustCommands(program: Command, context: CliContext): void {
  const trust = defineGroup(program, 'trust', 'the trust check and its link graph');
  trustImport(trust, context);
  trustCrawl(trust, context);
  trustSeeds(trust, context);
  trustRank(trust, context);
  trustCheck(trust, context);
  trustRelease(trust, context);
}
