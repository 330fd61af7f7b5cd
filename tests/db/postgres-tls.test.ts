/** A TLS error of PostgreSQL is named, and treated like a database that can't be reached. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/index.ts';
import { keepsSessions } from '../../src/db/pooling.ts';
import { dialects } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { postgresServer, startPostgres, type PostgresServer } from '../support/postgres.ts';

const folder = join(import.meta.dir, '../fixtures/tls');
const loopback = join(folder, 'loopback-certificate.pem');
const example = join(folder, 'certificate.pem');
const IS_ENCRYPTED =
  'SELECT CAST(ssl AS TEXT) AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

async function withTls(certificate: string, key: string): Promise<PostgresServer> {
  const files = {
    'server.pem': await readFile(join(folder, certificate), 'utf8'),
    'server.key': await readFile(join(folder, key), 'utf8'),
  };
  const settings = { ssl: 'on', ssl_cert_file: '../server.pem', ssl_key_file: '../server.key' };
  return startPostgres(settings, files);
}

describe.if(dialects.includes('postgres'))('postgres: TLS', () => {
  let local: PostgresServer;
  let foreign: PostgresServer;
  beforeAll(async () => {
    local = await withTls('loopback-certificate.pem', 'loopback-key.pem');
    foreign = await withTls('certificate.pem', 'key.pem');
  }, 300_000);
  afterAll(() => Promise.all([local.stop(), foreign.stop()]));

  /** Whether a connection is encrypted. */
  const isEncrypted = async (server: PostgresServer, options: string): Promise<boolean> => {
    const db = openDatabase({ kind: 'postgres', url: server.urlOf('postgres') + options });
    try {
      const [row] = await db.query<{ ssl: string }>(IS_ENCRYPTED);
      return row?.ssl === 'true';
    } finally {
      await db.close();
    }
  };

  test('connections are encrypted only if the URL says so', async () => {
    expect(await isEncrypted(local, '')).toBe(false);
    expect(await isEncrypted(local, '?sslmode=disable')).toBe(false);
    expect(await isEncrypted(await postgresServer(), '?sslmode=prefer')).toBe(false);
    for (const options of [
      '?sslmode=prefer',
      '?sslmode=require',
      `?sslrootcert=${loopback}`,
      `?sslmode=verify-ca&sslrootcert=${loopback}`,
      `?sslmode=verify-full&sslrootcert=${loopback}`,
    ]) {
      expect([options, await isEncrypted(local, options)]).toEqual([options, true]);
    }
    expect(await isEncrypted(foreign, `?sslmode=verify-ca&sslrootcert=${example}`)).toBe(true);
  });

  test('an untrusted certificate is reported with the remedy', async () => {
    const plain = await postgresServer();
    const cases: [server: PostgresServer, options: string, words: RegExp][] = [
      [local, '?sslmode=verify-full', /certificate is not trusted .* sslrootcert=FILE/],
      [local, '?sslmode=verify-ca', /certificate is not trusted .* sslrootcert=FILE/],
      [local, `?sslrootcert=${example}`, /certificate is not trusted .* sslrootcert=FILE/],
      [foreign, `?sslrootcert=${example}`, /another host name .* sslmode=verify-ca/],
      [plain, '?sslmode=require', /does not support TLS.* ssl = on .* sslmode=disable/],
      [local, '?sslrootcert=/nowhere/ca.pem', /the file of sslrootcert can't be read/],
      [local, `?sslrootcert=${import.meta.path}`, /the file of sslrootcert can't be read/],
    ];
    for (const [server, options, words] of cases) {
      const url = server.urlOf('postgres') + options;
      const db = openDatabase({ kind: 'postgres', url });
      const work = () => Promise.resolve();
      for (const call of [
        () => db.query('SELECT 1'),
        () => db.transaction(work),
        () => db.snapshot(work),
        () => keepsSessions(url),
      ]) {
        const error = await failure(call());
        expect(error).toBeInstanceOf(DatabaseUnavailableError);
        expect(String(error)).toMatch(words);
      }
      await db.close();
    }
  });
});
