/**
 * A test stand: a database, the provider's journal, and nodes of the product as processes.
 *
 *   await using stand = await openStand('postgres');
 *   const server = await stand.start();
 *   const token = await stand.fillPurse(server.url);
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseConfig, Dialect } from '../../../src/db/index.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { ADMIN, postOk, loginAsAdmin } from './client.ts';
import { catalogueFor, type SoldModel } from './catalogue.ts';
import { startJournalProvider, type JournalProvider, type Plan } from './journal-provider.ts';
import { startServer, type ServerProcess, type StartOptions } from './server-process.ts';

/** Signs tokens, and must appear nowhere. */
export const SECRET = 'torture-secret-of-at-least-32-bytes';

export interface StandOptions {
  /** The provider's answers. */
  plan?: (message: string) => Plan;
  /** A catalogue file, instead of the one with the journal provider alone. */
  catalogue?: string;
  /** The models of the journal provider, instead of the standard models. */
  models?: readonly SoldModel[];
  /** Settings added to those of every node. */
  env?: Record<string, string>;
  /** Processes of a node; one by default. With SQLite there is always one. */
  workers?: number | undefined;
  /** Where files are; a new directory by default. */
  dataDir?: string;
}

export interface Stand extends AsyncDisposable {
  provider: JournalProvider;
  database: DatabaseConfig;
  /** The data directory of node 0; removed with everything in it. */
  dataDir: string;
  /** @param node its number; the first one is 0. A second start is the next process of that node */
  start(node?: number, options?: StartOptions): Promise<ServerProcess>;
  /**
   * Money for more sends than any run makes.
   * @returns the admin's token
   */
  fillPurse(url: string): Promise<string>;
}

export async function openStand(dialect: Dialect, options: StandOptions = {}): Promise<Stand> {
  await using stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), 'zastava-torture-'));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const { plan, env = {}, dataDir = root, workers = 1 } = options;
  const provider = startJournalProvider(plan);
  stack.defer(() => provider.stop());
  const catalogue = join(root, 'catalogue.yaml');
  await Bun.write(
    catalogue,
    options.catalogue ?? catalogueFor({ journal: provider }, options.models),
  );
  const database = await databaseOf(dialect, dataDir, stack);
  const running: ServerProcess[] = [];
  stack.defer(async () => {
    await Promise.all(running.map((server) => server.kill()));
  });
  const kept = stack.move();
  return {
    provider,
    database,
    dataDir,
    async start(node = 0, how = {}) {
      const settings = {
        ZASTAVA_DATA_DIR: node === 0 ? dataDir : join(root, `node-${node}`),
        ZASTAVA_CATALOGUE: catalogue,
        ZASTAVA_ADMIN_PASSWORD: ADMIN.password,
        ZASTAVA_SECRET: SECRET,
        // All clients of a campaign may be one user, and a send that continues counts as an open stream.
        ZASTAVA_USER_STREAMS_MAX: '100000',
        ...(database.kind === 'postgres' && {
          ZASTAVA_DATABASE_URL: database.url,
          ZASTAVA_WORKERS: String(workers),
        }),
        ...env,
      };
      const server = await startServer(settings, how);
      running.push(server);
      return server;
    },
    async fillPurse(url) {
      const token = await loginAsAdmin(url);
      const credit = { login: ADMIN.login, amount: 100_000_000, reason: 'torture' };
      await postOk(url, token, '/admin/users/credit/', credit);
      return token;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The product names its SQLite file by itself. */
async function databaseOf(
  dialect: Dialect,
  dataDir: string,
  stack: AsyncDisposableStack,
): Promise<DatabaseConfig> {
  if (dialect === 'sqlite') return { kind: 'sqlite', path: join(dataDir, 'zastava.sqlite') };
  return stack.use(await openTestDatabase('postgres')).config;
}
