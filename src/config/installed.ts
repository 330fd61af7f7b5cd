import { ConfigError, type Config } from './config.ts';

/**
 * Refuses to work where nothing was installed: mostly the directory is mistyped, and books that were made this moment
 * hold. A PostgreSQL database that is not there refuses by itself.
 * @throws ConfigError naming the directory and its setting
 */
export async function requireInstallation({ database, dataDir }: Config): Promise<void> {
  if (database.kind !== 'sqlite' || (await Bun.file(database.path).exists())) return;
  throw new ConfigError(
    `ZASTAVA_DATA_DIR: there is no database in ${dataDir}: name the directory of the data, or begin one with zastava serve`,
  );
}
