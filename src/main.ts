/**
 * The process: environment, arguments, signals, exit code. Everything else is handed in from here. What a
 * command does not need is not loaded, so that small commands start at once.
 */
import { mkdir } from 'node:fs/promises';
import packageFile from '../package.json' with { type: 'json' };
import type { CommandNeeds, Served } from './cli/parts.ts';
import { runCommandLine } from './cli/run.ts';
import { systemTerminal } from './cli/terminal.ts';
import {
  ConfigError,
  dataDirProblem,
  readConfig,
  requireInstallation,
  settingWarnings,
  type Config,
} from './config/index.ts';
import type { Core } from './core.ts';
import { messageOf } from './lib/errors.ts';
import { createLog, type Log, type LogLevel } from './lib/log.ts';

const EXIT_FAILED = 1;
/** Of a server that was asked to stop. */
const EXIT_STOPPED = 0;

/**
 * Opens the modules. Only a server's environment switches presets on and off.
 * @throws ConfigError when the data directory, the secret or the database can't be used
 */
async function openModules(
  config: Config,
  options: { asServer: boolean; seals?: boolean },
): Promise<Core> {
  const { asServer } = options;
  await makeDataDir(config);
  const { openCore } = await import('./core.ts');
  const log = createLog(asServer ? config.logLevel : quieter(config.logLevel));
  if (asServer) for (const warning of settingWarnings(config.env)) log.warn(warning);
  try {
    return await openCore(config, { ...options, overrides: { log } });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { database } = config;
    const where = database.kind === 'postgres' ? 'ZASTAVA_DATABASE_URL' : database.path;
    throw new ConfigError(`${where}: ${messageOf(error)}`, { cause: error });
  }
}

async function openForCommand({ mayBegin, seals }: CommandNeeds): Promise<Core> {
  endWithServer();
  const config = readConfig(process.env);
  if (!mayBegin) await requireInstallation(config);
  return openModules(config, { asServer: false, seals });
}

/** A job that a server began does not outlive it: nobody could stop it then, or hear what came of it. */
function endWithServer(): void {
  if (process.connected) process.once('disconnect', () => process.exit(EXIT_FAILED));
}

/** What went wrong, in words that name the file where this user may not use one of the data directory. */
async function explain(error: unknown): Promise<unknown> {
  try {
    return (await dataDirProblem(error, readConfig(process.env))) ?? error;
  } catch {
    // The settings themselves are what went wrong.
    return error;
  }
}

/** A command prints its result; from its log only what went wrong. */
function quieter(level: LogLevel): LogLevel {
  return level === 'info' ? 'warn' : level;
}

async function makeDataDir({ dataDir }: Config): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`ZASTAVA_DATA_DIR: ${dataDir} can't be used: ${messageOf(error)}`);
  }
}

/** Serves until the process is asked to stop. */
async function serveUntilAsked(onReady: (served: Served) => Promise<void>): Promise<void> {
  const asked = stopSignal();
  let leavesAtOnce = true;
  // Each step of a start is a transaction, so it can be broken off at any moment.
  void asked.then(() => leavesAtOnce && process.exit(EXIT_STOPPED));
  const config = readConfig(process.env);
  const { serve } = await import('./serve.ts');
  const server = await serve(config, {
    async open() {
      const core = await openModules(config, { asServer: true });
      dieOfTheUnknown(core.log);
      return core;
    },
    onFirstAdmin: () => (leavesAtOnce = false),
  });
  leavesAtOnce = false;
  try {
    await onReady(server);
    await asked;
  } finally {
    await server.stop();
  }
}

/**
 * Ends the process after an error that nothing handled: its state may be wrong. The next start closes open messages.
 */
function dieOfTheUnknown(log: Log): void {
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'ended by an error that nothing handled');
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/** Resolves with the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT_FAILED);
        asked = true;
        resolve();
      });
    }
  });
}

/** Runs long work, whose signal is aborted by the first SIGTERM or SIGINT. */
async function workUntilAsked<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const asked = new AbortController();
  void stopSignal().then(() => asked.abort());
  return work(asked.signal);
}

const exitCode = await runCommandLine(
  {
    version: packageFile.version,
    terminal: systemTerminal,
    settingWarnings: () => settingWarnings(process.env),
    openCore: openForCommand,
    explain,
    serve: serveUntilAsked,
    untilAsked: workUntilAsked,
    backup: (file) =>
      workUntilAsked(async (signal) =>
        (await import('./backup.ts')).backup(readConfig(process.env), file, signal),
      ),
    restore: (file) =>
      workUntilAsked(async (signal) =>
        (await import('./backup.ts')).restore(readConfig(process.env), file, signal),
      ),
    copyToPostgres: async (onProgress) =>
      (await import('./copy-to-postgres.ts')).copyToPostgres(readConfig(process.env), onProgress),
  },
  process.argv.slice(2),
);
// What nobody waits for any more would keep the process alive: a silent database, or a store of images for minutes.
process.exit(exitCode);
