import { mkdir, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { modelNames, type Outcome, type Result } from './cells.ts';
import type { Installed } from './install.ts';
import { PICTURE } from './picture.ts';
import { stopping } from './stopping.ts';
import { environment, type Place } from './try.ts';
import { DONE } from './upstream/agent.ts';

/** An agent that hangs is ended after this time. */
const RUN_MINUTES = 5;

/** Gives an agent its task on each model. The files of the task tell whether it was done. */
export async function tryAgent(installed: Installed, place: Place): Promise<Result['outcomes']> {
  const outcomes: Result['outcomes'] = {};
  for (const model of modelNames)
    outcomes[model] = { [model]: await attempt(installed, place, model) };
  return outcomes;
}

async function attempt(
  { folder, command }: Installed,
  { gateway, recorder, upstream }: Place,
  model: string,
): Promise<Outcome> {
  // The real path, since some agents may leave their folder for no other.
  const work = join(await realpath(folder), 'work');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await Bun.write(join(work, 'note.txt'), 'before\n');
  await Bun.write(join(work, 'screen.png'), PICTURE);
  recorder.reset();
  const turnsBefore = upstream.turns.length;
  const child = Bun.spawn(command, {
    cwd: folder,
    env: environment(folder, {
      ZASTAVA_KEY: gateway.key,
      MODEL: model,
      WORK: work,
      TASK: taskIn(work),
    }),
    stdin: 'ignore',
    stdout: Bun.file(join(folder, 'driver.out')),
    stderr: Bun.file(join(folder, 'driver.log')),
    timeout: RUN_MINUTES * 60_000,
    signal: stopping,
  });
  const code = await child.exited;
  await endLeftovers(folder);
  const output = await Bun.file(join(folder, 'driver.out')).text();
  // MCP clients try GET first, which is 405.
  const refused = recorder.exchanges.find(
    ({ status }) => status >= 400 && ![404, 405].includes(status),
  );
  const seen = upstream.turns.slice(turnsBefore).flatMap(({ messages }) => messages);
  const pictures = seen.flatMap((message) => message.pictures);
  const asksTrust = (await Bun.file(join(folder, 'campaign.mjs')).text()).includes('/mcp');
  // Some agents pass the JSON on as a text in JSON.
  const isTold = seen.some(({ role, text }) => role === 'tool' && /"record\\*"/.test(text));
  const read = (name: string) =>
    Bun.file(join(work, name))
      .text()
      .catch(() => '');
  const problems = [
    ...((await read('note.txt')) === 'after\n' ? [] : ['the file was not edited']),
    ...((await read('note.txt.copy')) === 'after\n' ? [] : ['the command was not run']),
    // Some agents make it smaller or write it anew.
    ...(pictures.length > 0 ? [] : ['the model saw no screenshot']),
    ...(asksTrust && !isTold ? ['the model got no answer of /mcp'] : []),
    ...(output.includes(DONE) ? [] : [`the agent did not end the task (exit code ${code})`]),
  ];
  if (problems.length === 0) return { verdict: 'pass' };
  const said = refused ? `; the gateway answered ${refused.status}: ${refused.error}` : '';
  return { verdict: 'fails', note: problems.join(', ') + said };
}

/** Some agents leave servers behind, which run in the folder of the task. */
async function endLeftovers(folder: string): Promise<void> {
  const place = await realpath(folder);
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (cwd.startsWith(`${place}/`)) process.kill(Number(pid));
  }
}

function taskIn(folder: string): string {
  return `ZASTAVA-TASK: read note.txt, replace before by after in it, run a command that copies it to note.txt.copy, and look at screen.png. All is in the folder ${folder} .`;
}
