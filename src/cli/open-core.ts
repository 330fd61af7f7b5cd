/** Opens the modules for a command or for the server. They are loaded here, so that a usage error costs nothing. */
import {
  exitWithParent,
  readConfig,
  requireInstallation,
  settingWarnings,
  type Config,
  type Environment,
} from '../config/index.ts';
import type { Core } from '../core.ts';
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
  const { openCore } = await import('../core.ts');
  const log = createLog(config.logLevel);
  if (options.asServer) for (const warning of settingWarnings(config.env)) log.warn(warning);
  return openCore(config, { ...options, overrides: { log } });
}
