import { join } from 'node:path';
import { CACHE_MIB_USUAL } from '../lib/sqlite-cache.ts';
import { memoryHereMib } from './machine.ts';

/** The default page cache of SQLite: this share of the memory, but at least this many MiB. */
const CACHE_SHARE = 1 / 32;
const CACHE_MIB_LEAST = 8;

interface DatabaseSettings {
  databaseUrl?: string | undefined;
  databaseConnections: number;
  databasePooling: 'session' | 'transaction';
  dataDir: string;
  sqliteCacheMib?: number | undefined;
}

export function databaseOf(settings: DatabaseSettings) {
  const { databaseUrl, databaseConnections, databasePooling, dataDir, sqliteCacheMib } = settings;
  if (databaseUrl === undefined) {
    const cacheMib = sqliteCacheMib ?? defaultCacheMib(memoryHereMib());
    return { kind: 'sqlite', path: sqliteFile(dataDir), cacheMib } as const;
  }
  return {
    kind: 'postgres',
    url: databaseUrl,
    connectionsMax: databaseConnections,
    pooling: databasePooling,
  } as const;
}

export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'zastava.sqlite');
}

/** The default page cache of SQLite, MiB. On a small machine it leaves memory for everything else. */
export function defaultCacheMib(memoryMib: number): number {
  const share = Math.floor(memoryMib * CACHE_SHARE);
  return Math.min(CACHE_MIB_USUAL, Math.max(CACHE_MIB_LEAST, share));
}
