import type { Command } from 'commander';
import {
  atExit,
  exitNow,
  exitOnUnhandled,
  readConfig,
  settingWarnings,
  stopRequested,
} from '../config/index.ts';
import { messageOf } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import type { Server } from '../serve.ts';
import { define, type CliContext } from './context.ts';
import { shellWord } from './format.ts';
import { DISCARDED } from './output.ts';

const EXIT_STOPPED = 0;

export function serveCommand(program: Command, context: CliContext): void {
  define(program, 'serve', 'serve until SIGTERM or SIGINT', [
    'zastava serve',
    'ZASTAVA_PORT=9000 ZASTAVA_DATA_DIR=/var/lib/zastava zastava serve',
  ]).action(() => run(context));
}

async function run(context: CliContext): Promise<void> {
  const stopping = stopRequested();
  let mayBreakOff = true;
  // Each step of a start is a transaction, so it can be broken off at any moment.
  void stopping.then(() => mayBreakOff && exitNow(EXIT_STOPPED));
  const config = readConfig(context.env);
  const { openCore } = await import('../core.ts');
  const { serve } = await import('../serve.ts');
  const server = await serve(config, {
    async open() {
      const log = createLog(config.logLevel);
      atExit(() => log.flush());
      for (const warning of settingWarnings(config.env)) log.warn(warning);
      const core = await openCore(config, { asServer: true, overrides: { log } });
      exitOnUnhandled((err) => log.fatal({ err }, 'ended by an error that nothing handled'));
      return core;
    },
    onFirstAdmin: () => (mayBreakOff = false),
  });
  mayBreakOff = false;
  try {
    await announce(context, server);
    await stopping;
  } finally {
    await server.stop();
  }
}

/** A server goes on serving if nobody reads what it prints. */
async function announce({ output }: CliContext, server: Server): Promise<void> {
  const { listening: address, firstAdmin } = server;
  const warn = async (problem: string): Promise<void> => {
    const lost = `; the password of ${firstAdmin?.login} is lost: set another with zastava user password`;
    const listening = `listening on ${address}, but ${problem}`;
    await output
      .warn(firstAdmin?.password === undefined ? listening : listening + lost)
      .catch(() => undefined);
  };
  try {
    await output.data(toJson(server), toText(server));
  } catch (error) {
    return warn(`standard output can't be written: ${messageOf(error)}`);
  }
  // Services often run like this; only a lost password is worth a warning.
  if (output.isDiscarded && firstAdmin?.password !== undefined) await warn(DISCARDED);
}

function toJson({ listening, firstAdmin }: Server) {
  return {
    listening,
    ...(firstAdmin && {
      first_admin: { login: firstAdmin.login, password: firstAdmin.password ?? null },
    }),
  };
}

function toText({ listening, url, pageUrl, firstAdmin }: Server): string {
  const lines = firstAdminLines(url, firstAdmin);
  if (firstAdmin && pageUrl !== undefined) lines.push(`web page: ${pageUrl}`);
  return [...lines, `listening on ${listening}`].join('\n');
}

function firstAdminLines(url: string, firstAdmin: Server['firstAdmin']): string[] {
  if (!firstAdmin) return [];
  const { login, password } = firstAdmin;
  if (password === undefined)
    return ['first admin made, with the password given', `login: ${login}`];
  const body = JSON.stringify({ login, password });
  return [
    'first admin made, shown only this once',
    `login: ${login}`,
    `password: ${password}`,
    [
      `curl -s ${shellWord(`${url}/auth/login/`)}`,
      `-H 'Content-Type: application/json' -d ${shellWord(body)}`,
    ].join(' '),
  ];
}
