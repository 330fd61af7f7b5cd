/** The files for operators' systems, as far as they can be tested without those systems. */
import { describe, expect, test } from 'bun:test';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SQL } from 'bun';
import { dialects } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';
import { launcher, openInstallation } from './installation.ts';

const deploy = (name: string) => readFile(join(import.meta.dir, '../../deploy', name), 'utf8');

/** Characters that a URL, a shell or YAML could misread. */
const PASSWORD = 'p@ss/w:o%rd?#[ ]&=+"\'$x';

interface Service {
  env_file?: string;
  environment: Record<string, string>;
  healthcheck?: { test: string[] };
}

interface Compose {
  services: Record<string, Service>;
}

const compose = async () => Bun.YAML.parse(await deploy('compose.yaml')) as Compose;

describe('files for your system', () => {
  test('the health check of the image calls the port that the server listens on', async () => {
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

  test('the unit waits for a database that starts later, and stops before it', async () => {
    const [about = ''] = (await deploy('zastava.service')).split('[Service]');
    // Otherwise the unit would give up after five starts without a database.
    expect(about).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(about).toMatch(/^After=.*\bpostgresql\.service$/m);
  });

  test('the unit ends for good only after a wrong setting', async () => {
    const final = /^RestartPreventExitStatus=(\d+)$/m.exec(await deploy('zastava.service'))?.[1];
    await using installation = await openInstallation();
    const codeOf = async (env: Record<string, string>) =>
      (await installation.run(['serve'], { env })).code;
    expect(await codeOf({ ZASTAVA_PORT: 'http' })).toBe(Number(final));
    // The database may come back.
    const away = 'postgres://nobody@127.0.0.1:1/none';
    const secret = 's'.repeat(40);
    expect(await codeOf({ ZASTAVA_DATABASE_URL: away, ZASTAVA_SECRET: secret })).toBe(1);
  });

  test('the unit survives a job that ran out of memory', async () => {
    // By default, systemd would stop the whole unit.
    expect(await deploy('zastava.service')).toMatch(/^OOMPolicy=continue$/m);
  });

  test('the settings of compose are in a file that git ignores', async () => {
    const { zastava } = (await compose()).services;
    const file = join('deploy', zastava?.env_file ?? '');
    const root = join(import.meta.dir, '../..');
    // Git exits with 1 for a file that it would track.
    expect(await Bun.spawn(['git', 'check-ignore', '-q', file], { cwd: root }).exited).toBe(0);
  });

  test('compose waits until PostgreSQL accepts connections, which it does not do while it is being set up', async () => {
    const { postgres } = (await compose()).services;
    expect(postgres?.healthcheck?.test.join(' ')).toContain('pg_isready -h 127.0.0.1 ');
  });

  test('a backup that could not be moved does not prevent the next one', async () => {
    const text = await readFile(join(import.meta.dir, '../../docs/operating.md'), 'utf8');
    const line = /^0 3 \* \* \* root (cd .+)$/m.exec(text)?.[1] ?? '';
    await using installation = await openInstallation();
    const { dir, run } = installation;
    expect(await run(['user', 'add', 'ivan'])).toMatchObject({ code: 0 });
    await writeFile(join(dir, 'zastava'), `#!/bin/sh\nexec sh ${launcher[1]} "$@"\n`, {
      mode: 0o755,
    });
    const command = line
      .replaceAll('/usr/local/sbin/zastava', join(dir, 'zastava'))
      .replaceAll('/var/lib/zastava', join(dir, 'data'))
      .replaceAll('/backups/', join(dir, 'backups/'))
      // Only a crontab escapes it.
      .replaceAll('\\%', '%');
    const night = () =>
      Bun.spawn(['sh', '-c', command], {
        env: installation.env,
        stdio: ['ignore', 'ignore', 'ignore'],
      }).exited;
    expect(await night()).not.toBe(0);
    await mkdir(join(dir, 'backups'));
    expect(await night()).toBe(0);
    expect(await readdir(join(dir, 'backups'))).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d\.sqlite$/),
    ]);
  });

  test.if(dialects.includes('postgres'))('any password of PostgreSQL will do', async () => {
    const { services } = await compose();
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
      const right = await installation.spawn(['user', 'add', 'ivan'], {
        env: { ...settings, PGPASSWORD: PASSWORD },
      });
      expect(right).toMatchObject({ code: 0 });
      const wrong = await installation.spawn(['user', 'list'], {
        env: { ...settings, PGPASSWORD: 'wrong' },
      });
      expect(wrong.err).toMatch(/^zastava: ZASTAVA_DATABASE_URL: .*password authentication failed/);
    } finally {
      await server.stop();
    }
  });
});
