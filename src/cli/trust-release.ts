import type { Command } from 'commander';
import { useReleases, type ReleaseView } from '../trust/index.ts';
import { commandAct, define, defineGroup, onCore, withCore, type CliContext } from './context.ts';
import { bytes, yesNo } from './format.ts';
import { withProgress } from './progress.ts';
import { table, type Column } from './table.ts';

const columns: readonly Column<ReleaseView>[] = [
  ['RELEASE', ({ name }) => name],
  ['DOMAINS', ({ domains }) => String(domains), 'right'],
  ['LINKS', ({ links }) => String(links), 'right'],
  ['SUFFIXES', ({ suffixes }) => suffixes],
  ['CREATED', ({ created }) => created],
  ['RANKED', ({ ranked }) => yesNo(ranked)],
  ['CURRENT', ({ current }) => yesNo(current)],
  ['BASE', ({ base }) => yesNo(base)],
];

interface UseOptions {
  /** False for `--no-base`. */
  base?: string | false;
  since?: string;
}

export function trustRelease(trust: Command, context: CliContext): void {
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
  define(release, 'use', 'answer checks from these releases; every node follows within 5 s', [
    'zastava trust release use cc-main-2026-domain',
    'zastava trust release use crawl-20261123101500 --base cc-main-2026-domain',
  ])
    .argument('[name]', 'whose scores are used; absent: as before')
    .option('--base <name>', 'what is known of the whole web beside it; absent: as before')
    .option('--no-base', 'no base any more')
    .option('--since <name>', 'compare the base with this earlier release; absent: the last base')
    .action((name: string | undefined, options: UseOptions, command: Command) => {
      if (name === undefined && options.base === undefined) {
        command.error("error: missing required argument 'name'", { exitCode: 2 });
      }
      return use(context, name, options);
    });
  define(release, 'remove', 'delete a release that is not in use', [
    'zastava trust release remove cc-main-2025-domain',
  ])
    .argument('<name>', 'as release list shows it, or that of an abandoned import')
    .action(
      onCore(context, async (core, name: string) => {
        await core.trust.store.remove(name);
        await commandAct(core, 'release_removed').recordAlone({ subject: name });
        return [{ release: name, removed: true }, `${name} is removed`];
      }),
    );
}

function use(context: CliContext, release: string | undefined, { base, since }: UseOptions) {
  const { output } = context;
  return withCore(context, async (core) => {
    const { store } = core.trust;
    const before = { release: store.currentName() ?? null };
    const inUse = await withProgress(context, (update) =>
      useReleases(store, {
        name: release,
        base: base === false ? null : base,
        since,
        onCheck: (size) => output.note(`comparing ${bytes(size)} with their checksums`),
        onStep: ({ step, done, total }) => update({ name: step, done, total }),
      }),
    );
    const after = { release: inUse.current ?? null, base: inUse.base ?? null };
    await commandAct(core, 'releases_chosen').recordAlone({ before, after });
    const shown = { release: inUse.current ?? null, current: true, base: inUse.base ?? null };
    const beside = inUse.base === undefined ? '' : `, with ${inUse.base} as the base`;
    const text = `${inUse.current ?? 'no release'} is in use now${beside}`;
    await output.data(shown, text);
  });
}
