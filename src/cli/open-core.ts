/** Opens the modules for a command or for the server. They are loaded here, so that a usage error costs nothing. */
import { mkdir } from 'node:fs/promises';
import {
  ConfigError,
  exitWithParent,
  readConfig,
  requireInstallation,
  settingWarnings,
  type Config,
  type Environment,
} from '../config/index.ts';
import type { Core } from '../core.ts';
import { messageOf } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';

/** What a command needs of an installation. */
export interface CommandNeeds {
  /** True for a command that makes sense before there is a database: it creates one. */
  mayBegin: boolean;
  /** True for a command that may encrypt provider keys, for which it needs the server's secret. */
  seals: boolean;
}

/**
 * Opens the database, whether or not a server uses it.
 * @throws ConfigError when there is no installation, or it can't be used
 */
export async function openForCommand(
  env: Environment,
  { mayBegin, seals }: CommandNeeds,
): Promise<Core> {
  exitWithParent();
  const config = readConfig(env);
  if (!mayBegin) await requireInstallation(config);
  // A command prints its result; of its log only warnings and errors are of interest.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  return open({ ...config, logLevel }, { asServer: false, seals });
}

/** @throws ConfigError when the data directory, the secret or the database can't be used */
export async function openForServer(config: Config): Promise<Core> {
  return open(config, { asServer: true });
}

async function open(
  config: Config,
  options: { asServer: boolean; seals?: boolean },
): Promise<Core> {
  await makeDataDir(config);
  const { openCore } = await import('../core.ts');
  const log = createLog(config.logLevel);
  if (options.asServer) for (const warning of settingWarnings(config.env)) log.warn(warning);
  try {
    return await openCore(config, { ...options, overrides: { log } });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { database } = config;
    const where = database.kind === 'postgres' ? 'ZASTAVA_DATABASE_URL' : database.path;
    throw new ConfigError(`${where}: ${messageOf(error)}`, { cause: error });
  }
}

async function makeDataDir({ dataDir }: Config): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`ZASTAVA_DATA_DIR: ${dataDir} can't be used: ${messageOf(error)}`);
  }
}
