import type { Command } from 'commander';
import type { ReleaseView } from '../trust/index.ts';
import { define, defineGroup, onCore, withCore, type CliContext } from './context.ts';
import { bytes, yesNo } from './format.ts';
import { table, type Column } from './table.ts';
import { trustCheck } from './trust-check.ts';
import { trustCrawl } from './trust-crawl.ts';
import { trustGraph } from './trust-graph.ts';
import { trustSeeds } from './trust-seeds.ts';

const columns: readonly Column<ReleaseView>[] = [
  ['RELEASE', ({ name }) => name],
  ['DOMAINS', ({ domains }) => String(domains), 'right'],
  ['LINKS', ({ links }) => String(links), 'right'],
  ['SUFFIXES', ({ suffixes }) => suffixes],
  ['CREATED', ({ created }) => created],
  ['RANKED', ({ ranked }) => yesNo(ranked)],
  ['CURRENT', ({ current }) => yesNo(current)],
];

export function trustCommands(program: Command, context: CliContext): void {
  const trust = defineGroup(program, 'trust', 'the trust check and its link graph');
  trustGraph(trust, context);
  trustCrawl(trust, context);
  trustSeeds(trust, context);
  trustCheck(trust, context);
  trustRelease(trust, context);
}

function trustRelease(trust: Command, context: CliContext): void {
  const { output } = context;
  const release = defineGroup(trust, 'release', 'releases of the link graph');
  define(release, 'list', 'list them, the oldest first', ['zastava trust release list']).action(
    () =>
      withCore(context, async ({ trust: { store } }) => {
        const listed = await store.list();
        await output.data(listed, table(columns, listed));
        const fault = store.currentFault();
        if (fault !== undefined) await output.warn(fault);
      }),
  );
  define(release, 'use', 'answer checks from this release; every node follows within 5 s', [
    'zastava trust release use cc-main-2026-domain',
  ])
    .argument('<name>', 'as release list shows it')
    .action(
      onCore(context, async ({ trust: { store } }, name: string) => {
        await store.useChecked(name, (size) =>
          output.note(`comparing ${bytes(size)} with their checksums`),
        );
        return [{ release: name, current: true }, `${name} is in use now`];
      }),
    );
  define(release, 'remove', 'delete a release that is not in use', [
    'zastava trust release remove cc-main-2025-domain',
  ])
    .argument('<name>', 'as release list shows it, or that of an abandoned import')
    .action(
      onCore(context, async ({ trust: { store } }, name: string) => {
        await store.remove(name);
        return [{ release: name, removed: true }, `${name} is removed`];
      }),
    );
}
