import {
  hangUp,
  inTerminal,
  onHangUp,
  ownProgram,
  settingWarnings,
  type Config,
} from '../config/index.ts';
import { systemClock } from '../lib/clock.ts';
import { WorkerEnded, Workers } from '../workers/index.ts';
import { announce } from './announce.ts';
import type { CliContext } from './context.ts';
import { endOnUnhandled, openLog } from './server-log.ts';

/** A signal ended a worker, or a worker did not stop properly. */
const EXIT_FAILED = 1;

/**
 * The parent of several processes on one port: it prints one line when all serve, restarts those that die, replaces all
 * at SIGHUP, and ends with them. If one fails at the start, it prints the reason, and its exit code becomes the
 * command's.
 */
export async function runWorkers(
  context: CliContext,
  config: Config,
  stopping: Promise<void>,
): Promise<void> {
  const log = openLog(config);
  endOnUnhandled(log);
  for (const warning of settingWarnings(config.env)) log.warn(warning);
  const workers = new Workers({
    count: config.workers,
    program: ownProgram(),
    options: context.output.json ? ['--json'] : [],
    env: config.env,
    log,
    clock: systemClock,
    drainSeconds: config.drainSeconds,
  });
  const stopped = endOf(workers, stopping).then(() => workers.stop());
  try {
    await announce(context, await workers.start());
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    context.exitCode = typeof error.how === 'number' ? error.how : EXIT_FAILED;
    return;
  }
  if (!(await stopped)) context.exitCode = EXIT_FAILED;
}

/**
 * Resolves when the workers have to stop: at SIGTERM, at SIGINT and, in a terminal, at SIGHUP, which the terminal sends
 * when it closes. Elsewhere SIGHUP replaces the workers.
 */
function endOf(workers: Workers, stopping: Promise<void>): Promise<void> {
  if (inTerminal()) return Promise.race([stopping, hangUp()]);
  onHangUp(() => workers.replace());
  return stopping;
}
