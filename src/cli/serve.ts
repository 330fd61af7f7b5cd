import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  exitNow,
  hangUp,
  onHangUp,
  parentChannel,
  readConfig,
  settingWarnings,
  stopRequested,
  type Channel,
  type Config,
} from '../config/index.ts';
import type { Server, Sharing } from '../serve.ts';
import { announce } from './announce.ts';
import { define, type CliContext } from './context.ts';
import { endOnUnhandled, openLog } from './server-log.ts';

const EXIT_STOPPED = 0;

interface ServeOptions {
  worker?: number;
  join?: number;
}

export function serveCommand(program: Command, context: CliContext): void {
  define(program, 'serve', 'serve until SIGTERM or SIGINT', [
    'zastava serve',
    'ZASTAVA_PORT=9000 ZASTAVA_DATA_DIR=/var/lib/zastava zastava serve',
  ])
    .addOption(new Option('--worker <number>').argParser(wholeNumber).hideHelp())
    .addOption(new Option('--join <port>').argParser(wholeNumber).hideHelp())
    .action((options: ServeOptions) => run(context, options));
}

function wholeNumber(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

async function run(context: CliContext, { worker, join }: ServeOptions): Promise<void> {
  const channel = worker === undefined ? undefined : parentChannel();
  if (worker !== undefined && channel) return runWorker(context, { worker, join, channel });
  const stopping = stopRequested();
  const config = readConfig(context.env);
  if (config.workers > 1) {
    const { runWorkers } = await import('./serve-workers.ts');
    return runWorkers(context, config, stopping);
  }
  const ending = Promise.race([stopping, hangUp()]);
  const server = await startServer(config, { stopping: ending, sharing: undefined });
  try {
    await announce(context, server);
    await ending;
  } finally {
    await server.stop();
  }
}

interface Worker {
  worker: number;
  join: number | undefined;
  channel: Channel;
}

/**
 * One of several processes on a port. It passes what is to be printed to the parent. If the parent ends, it stops too.
 */
async function runWorker({ env }: CliContext, { worker, join, channel }: Worker): Promise<void> {
  const { Siblings } = await import('../workers/index.ts');
  const siblings = new Siblings(worker, channel);
  const orphaned = channel.closed.then(() => 'orphaned' as const);
  const stopping = Promise.race([stopRequested(), siblings.stopRequested, orphaned]);
  // Ignored: a closing terminal also sends SIGHUP to the parent, which then stops its workers.
  onHangUp(() => undefined);
  const config = readConfig(env);
  const server = await startServer(config, { stopping, sharing: { siblings, joins: join } });
  const { listening, url, pageUrl, firstAdmin } = server;
  siblings.send({ kind: 'serving', announced: { listening, url, pageUrl, firstAdmin } });
  const leaving = siblings.leaveRequested.then(() => 'leaving' as const);
  const reason = await Promise.race([stopping, leaving]);
  const why = reason === 'leaving' ? await Promise.race([server.leave(), stopping]) : reason;
  // The next parent can then use the port.
  if (why === 'orphaned') server.refuseConnections();
  await server.stop();
}

interface Start {
  stopping: Promise<unknown>;
  sharing: Sharing | undefined;
}

async function startServer(config: Config, { stopping, sharing }: Start): Promise<Server> {
  let mayBreakOff = true;
  // Each step of a start is a transaction, so the start can be aborted at any moment.
  void stopping.then(() => mayBreakOff && exitNow(EXIT_STOPPED));
  const { openCore } = await import('../core.ts');
  const { serve } = await import('../serve.ts');
  const server = await serve(config, {
    async open() {
      const { siblings } = sharing ?? {};
      const log = openLog(config, siblings && { worker: siblings.number });
      if (!siblings) for (const warning of settingWarnings(config.env)) log.warn(warning);
      const core = await openCore(config, { asServer: true, overrides: { log } });
      endOnUnhandled(log);
      return core;
    },
    onFirstAdmin: () => (mayBreakOff = false),
    sharing,
  });
  mayBreakOff = false;
  return server;
}
