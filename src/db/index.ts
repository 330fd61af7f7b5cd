import type { OpenedDatabase } from './database.ts';
import { openPostgres, type PostgresConfig } from './postgres.ts';
import { openSqlite, type SqliteConfig } from './sqlite.ts';

export { appendOnlyTriggers } from './append-only.ts';
export {
  copyTables,
  filledTables,
  stepsOf,
  type CopiedTable,
  type CopyProgress,
} from './copy-tables.ts';
export {
  type Database,
  type Dialect,
  type OpenedDatabase,
  type Param,
  type Row,
  type Sql,
  type Tx,
} from './database.ts';
export { GroupCommit, type GroupCommitLimits } from './group-commit.ts';
export { installationName } from './installation.ts';
export { migrate } from './migrate.ts';
export { refuseHiddenPooling } from './pooling.ts';
export { acquireProcessLock, serverLockFile, type ProcessLock } from './process-lock.ts';
export { prepareDelete, prepareInsert, prepareUpdate, type RowFor } from './prepared-writes.ts';
export { queryIn, together } from './query-in.ts';
export { indexedWords } from './search-index.ts';
export { selectCounts } from './select-counts.ts';
export { nextNumber, raiseCounter, readSetting, writeSetting } from './shared-values.ts';
export { backupSqlite, restoreSqlite } from './sqlite-backup.ts';
export { columnList, defineTables, pickColumns, type RowOf, type Table } from './table.ts';
export { tables } from './tables.ts';
export {
  addCounts,
  noCostCounts,
  noRareUsageCounts,
  noUsageCounts,
  costCounts,
  oldUsageCounts,
  sumsOf,
  usageCounts,
  type UsageCount,
} from './usage-counts.ts';
export { closeRunningSums } from './close-running-sums.ts';
export { ALL_USERS, BLOCK_DAYS, runningDays, STEP_DAYS } from './running-sums.ts';
export { ALL_MODELS, closeUsageDay, distinctCounts, usageDayTriggers } from './usage-days.ts';

/** Where the data is: a SQLite file, or a PostgreSQL server. */
export type DatabaseConfig = SqliteConfig | PostgresConfig;

/** Opens the database that the settings name. On PostgreSQL the first connection is made by the first query. */
export function openDatabase(config: DatabaseConfig): OpenedDatabase {
  return config.kind === 'sqlite' ? openSqlite(config) : openPostgres(config);
}
