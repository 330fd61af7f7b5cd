/** The files for operators' systems, as far as they can be tried without those systems. */
import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SQL } from 'bun';
import { dialects } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';
import { openInstallation } from './installation.ts';

const deploy = (name: string) => readFile(join(import.meta.dir, '../../deploy', name), 'utf8');

/** Whatever an address, a shell or YAML could take for something else. */
const PASSWORD = 'p@ss/w:o%rd?#[ ]&=+"\'$x';

interface Compose {
  services: Record<string, { environment: Record<string, string> }>;
}

describe('files for your system', () => {
  test('the health of the image is that of the port that it serves on', async () => {
    const line = /HEALTHCHECK [\s\S]*?\n\s+CMD (\[.*\])/.exec(await deploy('Dockerfile'))?.[1];
    const [, ...words] = JSON.parse(line ?? '[]') as string[];
    let status = 200;
    using server = Bun.serve({ port: 0, fetch: () => new Response(null, { status }) });
    const health = (port: string | undefined) =>
      Bun.spawn([process.execPath, ...words], { env: { ZASTAVA_PORT: port } }).exited;
    expect(await health(String(server.port))).toBe(0);
    status = 503;
    expect(await health(String(server.port))).toBe(1);
  });

  test('the unit outlasts a database that comes up later, and ends before one that goes', async () => {
    const [about = ''] = (await deploy('zastava.service')).split('[Service]');
    // Else five starts that find no database are the last.
    expect(about).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(about).toMatch(/^After=.*\bpostgresql\.service$/m);
  });

  test('the unit outlasts a job that ran out of memory', async () => {
    // systemd's own choice is to stop all of it.
    expect(await deploy('zastava.service')).toMatch(/^OOMPolicy=continue$/m);
  });

  test.if(dialects.includes('postgres'))('any password of PostgreSQL will do', async () => {
    const { services } = Bun.YAML.parse(await deploy('compose.yaml')) as Compose;
    const { ZASTAVA_DATABASE_URL: address = '', PGPASSWORD: password = '' } =
      services['zastava']?.environment ?? {};
    expect(password).toStartWith('${POSTGRES_PASSWORD:');
    const hba = 'host all postgres all trust\nhost all all all scram-sha-256\n';
    const server = await startPostgres({}, { 'data/pg_hba.conf': hba });
    try {
      await using admin = new SQL(server.urlOf('postgres'), { max: 1 });
      const quoted = PASSWORD.replaceAll("'", "''");
      await admin.unsafe(`CREATE ROLE zastava LOGIN PASSWORD '${quoted}'`);
      await admin.unsafe('CREATE DATABASE zastava OWNER zastava');
      const url = new URL(address);
      const own = new URL(server.urlOf('zastava'));
      [url.hostname, url.port] = [own.hostname, own.port];
      await using installation = await openInstallation();
      const settings = { ZASTAVA_DATABASE_URL: url.href, ZASTAVA_SECRET: 's'.repeat(40) };
      const right = await installation.run(['user', 'add', 'ivan'], {
        env: { ...settings, PGPASSWORD: PASSWORD },
      });
      expect(right).toMatchObject({ code: 0 });
      const wrong = await installation.run(['user', 'list'], {
        env: { ...settings, PGPASSWORD: 'wrong' },
      });
      expect(wrong.err).toMatch(/^zastava: ZASTAVA_DATABASE_URL: .*password authentication failed/);
    } finally {
      await server.stop();
    }
  });
});
