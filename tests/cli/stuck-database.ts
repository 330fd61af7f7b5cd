/** A database that hangs: writes wait for a lock, or it does not respond at all. */
import { Database as BunDatabase } from 'bun:sqlite';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/index.ts';
import type { Installation } from './installation.ts';

/** Prevents others from migrating until it is disposed. The database must have been migrated. */
export async function holdMigrations({ dir, env }: Installation): Promise<AsyncDisposable> {
  const url = env['ZASTAVA_DATABASE_URL'];
  if (url === undefined) return holdWrites(dir);
  const db = openDatabase({ kind: 'postgres', url });
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    // The lock of src/db/migrate.ts.
    await tx.query('SELECT pg_advisory_xact_lock(7214001)');
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return {
    async [Symbol.asyncDispose]() {
      release.resolve();
      await transaction;
      await db.close();
    },
  };
}

/** Takes the place of SQLite's only writer. */
export function holdWrites(dir: string): AsyncDisposable {
  const db = new BunDatabase(join(dir, 'data', 'zastava.sqlite'));
  db.exec('BEGIN IMMEDIATE');
  return {
    [Symbol.asyncDispose]() {
      db.exec('ROLLBACK');
      db.close();
      return Promise.resolve();
    },
  };
}

export interface Proxy extends Disposable {
  /** The address of the database through this proxy. */
  url: string;
  /** Connections stay open, but no more bytes pass. */
  silence(): void;
}

/** A proxy in front of a PostgreSQL server. */
export async function openProxy(databaseUrl: string): Promise<Proxy> {
  const address = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(address.port), address.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => (client.destroy(), upstream.destroy()));
    }
    client.on('data', (data) => isSilent || upstream.write(data));
    upstream.on('data', (data) => isSilent || client.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (typeof listening !== 'object' || listening === null) throw new Error('no port');
  const url = new URL(databaseUrl);
  url.port = String(listening.port);
  return {
    url: url.href,
    silence: () => (isSilent = true),
    [Symbol.dispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
