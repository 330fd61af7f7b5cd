import type { Command } from 'commander';
import { define, defineGroup, withCore, type CliContext } from './context.ts';

export function secretCommands(program: Command, context: CliContext): void {
  const group = defineGroup(program, 'secret', "the server's secret, where it is lost or leaked");
  define(group, 'adopt', 'make the secret of now the one of the database, whatever it was before', [
    'ZASTAVA_SECRET=$(openssl rand -hex 32) zastava secret adopt',
    'zastava secret adopt',
  ])
    .addHelpText(
      'after',
      `
It is that of ZASTAVA_SECRET, or else the file secret of the data directory, made where there is none.
Every token and cookie of before ends; provider keys that stand in the catalogue in clear must be applied again.
To change a secret that you have, name it in ZASTAVA_SECRET_PREVIOUS instead: then nothing ends.`,
    )
    .action(() => adopt(context));
}

async function adopt(context: CliContext): Promise<void> {
  const { output } = context;
  const { where, changed } = await withCore(context, (core) => core.adoptSecret());
  // Opened anew, with the secret that is now the right one.
  context.needs.seals = true;
  const unreadable = await withCore(context, async ({ catalogue }) => catalogue.unreadableKeys());
  await output.data(
    { secret: where, changed, unreadable },
    changed
      ? `the secret of ${where} is the database's now: start every server with it`
      : `the secret of ${where} is the database's already`,
  );
  if (unreadable.length === 0) return;
  await output.warn(
    `the keys of ${unreadable.join(', ')} were sealed with another secret: apply the catalogue again`,
  );
}
