import type { Command } from 'commander';
import { commandAct, define, defineGroup, withCore, type CliContext } from './context.ts';

export function secretCommands(program: Command, context: CliContext): void {
  const group = defineGroup(
    program,
    'secret',
    "replace the server's secret when it was lost or leaked",
  );
  define(group, 'adopt', 'make the present secret the one that the database belongs to', [
    'ZASTAVA_SECRET=$(openssl rand -hex 32) zastava secret adopt',
    'zastava secret adopt',
  ])
    .addHelpText(
      'after',
      `
The present secret is ZASTAVA_SECRET, or else the file secret in the data directory, which is made if it is missing.
All tokens and cookies end. If the catalogue file has provider keys in clear, it must be applied again. Codes of second
factors are not accepted any more; recovery codes are.
To change a secret that you still have, name it in ZASTAVA_SECRET_PREVIOUS instead: then no token ends.`,
    )
    .action(() => adopt(context));
}

async function adopt(context: CliContext): Promise<void> {
  const { output } = context;
  const { where, changed } = await withCore(context, (core) =>
    core.adoptSecret(commandAct(core, 'secret_changed')),
  );
  // Opened a second time, now with the database's secret.
  const { unreadable, factors } = await withCore(
    context,
    async ({ catalogue, secondFactors }) => ({
      unreadable: catalogue.problems.unreadable,
      factors: await secondFactors.unreadable(),
    }),
    { seals: true },
  );
  await output.data(
    { secret: where, changed, unreadable, unreadable_second_factors: factors },
    changed
      ? `the database now belongs to the secret in ${where}: start every server with it`
      : `the database belongs to the secret in ${where} already`,
  );
  if (factors > 0) {
    await output.warn(
      `codes of ${factors} second factors are not accepted any more: users log in with a recovery code, or ask for zastava user second-factor LOGIN --reset`,
    );
  }
  if (unreadable.length === 0) return;
  await output.warn(
    `the keys of ${unreadable.join(', ')} were sealed with another secret: apply the catalogue again`,
  );
}
