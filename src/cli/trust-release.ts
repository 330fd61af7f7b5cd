import type { Command } from 'commander';
import type { ReleaseView } from '../trust/index.ts';
import { define, defineGroup, withCore, type CliContext } from './context.ts';
import { bytes, yesNo } from './format.ts';
import { table, type Column } from './table.ts';

const columns: readonly Column<ReleaseView>[] = [
  ['RELEASE', ({ name }) => name],
  ['DOMAINS', ({ domains }) => String(domains), 'right'],
  ['LINKS', ({ links }) => String(links), 'right'],
  ['CREATED', ({ created }) => created],
  ['RANKED', ({ ranked }) => yesNo(ranked)],
  ['CURRENT', ({ current }) => yesNo(current)],
];

export function trustRelease(trust: Command, context: CliContext): void {
  const release = defineGroup(trust, 'release', 'releases of the link graph');
  define(release, 'list', 'list them, the oldest first', ['zastava trust release list']).action(
    () =>
      withCore(context, async ({ trust: { store } }) => {
        const listed = await store.list();
        await context.output.data(listed, table(columns, listed));
        const fault = store.currentFault();
        if (fault !== undefined) await context.output.warn(fault);
      }),
  );
  define(release, 'use', 'answer checks from this release; every node follows within 5 s', [
    'zastava trust release use cc-main-2026-domain',
  ])
    .argument('<name>', 'as release list shows it')
    .action((name: string) =>
      withCore(context, async ({ trust: { store } }) => {
        await store.useChecked(name, (size) =>
          context.output.note(`comparing ${bytes(size)} with their checksums`),
        );
        await context.output.data({ release: name, current: true }, `${name} is in use now`);
      }),
    );
  define(release, 'remove', 'delete a release that is not in use', [
    'zastava trust release remove cc-main-2025-domain',
  ])
    .argument('<name>', 'as release list shows it, or that of an abandoned import')
    .action((name: string) =>
      withCore(context, async ({ trust: { store } }) => {
        await store.remove(name);
        await context.output.data({ release: name, removed: true }, `${name} is removed`);
      }),
    );
}
