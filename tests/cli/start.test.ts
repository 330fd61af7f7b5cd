/** The start of a server: the first admin, the secret, and refusals that leave nothing half done. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/config/index.ts';
import { dialects } from '../support/databases.ts';
import {
  logIn,
  openInstallation,
  openNewInstallation,
  post,
  printedPassword,
} from './installation.ts';

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

for (const dialect of dialects) {
  describe(`${dialect}: the first start`, () => {
    test('prints the first admin, a line that logs in when pasted, and the address', async () => {
      await using installation = await openNewInstallation(dialect);
      const server = await installation.serve();
      const lines = server.out().trimEnd().split('\n');
      expect(lines).toContain('login: admin');
      expect(count(server.out(), /^listening on http:\/\/127\.0\.0\.1:\d+$/gm)).toBe(1);
      expect(lines.at(-1)).toBe(`listening on ${server.url}`);
      const pageUrl = lines.find((line) => line.startsWith('web page: '))?.slice(10) ?? '';
      expect([pageUrl, (await fetch(pageUrl)).status]).toEqual([`${server.url}/app/`, 200]);
      const pasted = lines.find((line) => line.startsWith('curl ')) ?? '';
      const answer = JSON.parse(await Bun.$`sh -c ${pasted}`.text());
      expect(answer.status).toBe('ok');
      const account = await post(server.url, '/account/', {}, answer.data.token);
      expect(account.body.data).toMatchObject({ login: 'admin', balance: 1000 });
      server.signal('SIGTERM');
      expect((await server.exited).code).toBe(0);
    });

    test('is the only one that prints a password; the password still works after the next', async () => {
      await using installation = await openNewInstallation(dialect);
      const first = await installation.serve();
      const password = printedPassword(first.out());
      first.signal('SIGINT');
      expect((await first.exited).code).toBe(0);
      const second = await installation.serve();
      expect(second.out()).toBe(`listening on ${second.url}\n`);
      expect(await logIn(second.url, 'admin', password)).toMatch(/^ey/);
    });

    test('takes login and password from the settings, and does not print the password', async () => {
      await using installation = await openNewInstallation(dialect);
      const password = 'chosen by the operator';
      const server = await installation.serve({
        ZASTAVA_ADMIN_LOGIN: 'хозяин',
        ZASTAVA_ADMIN_PASSWORD: password,
      });
      expect(server.out()).toContain('login: хозяин\n');
      expect(server.out()).not.toContain(password);
      expect(await logIn(server.url, 'Хозяин', password)).toMatch(/^ey/);
    });

    test('makes an admin if only users were added before, but not if there was an admin', async () => {
      await using installation = await openNewInstallation(dialect);
      await installation.json(['user', 'add', 'ivan']);
      const first = await installation.serve();
      expect(printedPassword(first.out())).not.toBe('');
      await using other = await openNewInstallation(dialect);
      await other.json(['user', 'add', 'olga', '--admin']);
      const second = await other.serve();
      expect(second.out()).toBe(`listening on ${second.url}\n`);
    });
  });
}

describe('on one PostgreSQL', () => {
  test('several nodes that start together make one first admin', async () => {
    if (!dialects.includes('postgres')) return;
    await using installation = await openNewInstallation('postgres');
    const { dir } = installation;
    const starts = ['a', 'b', 'c', 'd'].map((name) =>
      installation.serve({ ZASTAVA_DATA_DIR: join(dir, name) }),
    );
    const nodes = await Promise.all(starts);
    const printed = nodes.map((node) => printedPassword(node.out())).filter(Boolean);
    expect(printed).toHaveLength(1);
    for (const { url } of nodes) expect(await logIn(url, 'admin', printed[0] ?? '')).toMatch(/^ey/);
    expect(await installation.json<unknown[]>(['user', 'list'])).toHaveLength(1);
  });

  test('a new database beside one of SQLite is reported once', async () => {
    if (!dialects.includes('postgres')) return;
    await using installation = await openNewInstallation('postgres');
    await installation.json(['user', 'add', 'ivan'], { env: { ZASTAVA_DATABASE_URL: '' } });
    const errors: string[] = [];
    for (let start = 0; start < 2; start++) {
      const server = await installation.serve();
      server.signal('SIGTERM');
      errors.push((await server.exited).err);
    }
    const path = join(installation.dir, 'data', 'zastava.sqlite');
    expect(errors[0]).toContain(`users, balances and rooms of ${path} are not in it`);
    expect(errors[1]).toBe('');
  });

  test('a node without ZASTAVA_SECRET is refused', async () => {
    if (!dialects.includes('postgres')) return;
    await using installation = await openInstallation('postgres');
    const { code, err } = await installation.run(['serve'], { env: { ZASTAVA_SECRET: '' } });
    expect(code).toBe(78);
    expect(err).toStartWith('zastava: ZASTAVA_SECRET: ');
  });
});

describe('the address', () => {
  test('that is printed is the one it listens on; the line to paste has a reachable one', async () => {
    const lineOf = (out: string) => out.match(/^curl .*$/m)?.[0] ?? '';
    for (const host of ['0.0.0.0', '*', '::']) {
      await using installation = await openInstallation();
      const all = await installation.serve({ ZASTAVA_HOST: host });
      const shown = host.includes(':') ? `[${host}]` : host;
      const port = all.url.slice(`http://${shown}:`.length);
      expect([all.url, Number(port)]).toEqual([`http://${shown}:${port}`, expect.any(Number)]);
      const reachable = host === '::' ? '[::1]' : '127.0.0.1';
      expect(lineOf(all.out())).toContain(`http://${reachable}:${port}/`);
      expect((await fetch(`http://${reachable}:${port}/readyz`)).status).toBe(200);
    }
    await using other = await openInstallation();
    const six = await other.serve({ ZASTAVA_HOST: '::1' });
    expect(six.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    await using bracketed = await openInstallation();
    const same = await bracketed.serve({ ZASTAVA_HOST: '[::1]' });
    expect(same.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(JSON.parse(await Bun.$`sh -c ${lineOf(six.out())}`.text()).status).toBe('ok');
  });

  test('begins the link of an invitation; if it is not known, the code is printed alone', async () => {
    await using installation = await openInstallation();
    const { json, run } = installation;
    await json(['user', 'add', 'ivan']);
    const create = ['invitation', 'create'];
    const linkWith = async (env: Record<string, string>) =>
      (await json<{ link: string | null }>(create, { env })).link;
    const unknown = { ZASTAVA_PORT: '0', ZASTAVA_PUBLIC_URL: '' };
    const { out, err } = await run(create, { env: unknown });
    expect(out).toMatch(/^code: +\S+$/m);
    expect(out).not.toContain('link');
    expect(err).toContain('set ZASTAVA_PUBLIC_URL to the address of the server');
    expect(await linkWith(unknown)).toBeNull();
    expect(await linkWith({ ...unknown, ZASTAVA_PUBLIC_URL: 'https://ai.example' })).toMatch(
      /^https:\/\/ai\.example\/app\/register#\S+$/,
    );
    expect(await linkWith({ ZASTAVA_PORT: '9000', ZASTAVA_HOST: '::' })).toStartWith(
      'http://[::1]:9000/app/register#',
    );
  });

  test('that is in use ends the start with one line, and leaves nothing half done', async () => {
    await using installation = await openInstallation();
    await using other = await openInstallation();
    const server = await other.serve();
    const { port } = new URL(server.url);
    const { code, out, err } = await installation.run(['serve'], { env: { ZASTAVA_PORT: port } });
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/^zastava: ZASTAVA_PORT: port \d+ of 127\.0\.0\.1 is taken: [^\n]+\n$/);
    expect(existsSync(join(installation.dir, 'data'))).toBe(false);
    // The next start is still the first one.
    expect(printedPassword((await installation.serve()).out())).not.toBe('');
  });

  test('two servers on one data directory: the second is refused', async () => {
    await using installation = await openInstallation();
    await installation.serve();
    const { code, out, err } = await installation.run(['serve']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^zastava: another zastava serves the data directory [^\n]+\n$/);
  });
});

describe('the secret', () => {
  test('is generated into the data directory, readable by its owner only, and kept', async () => {
    await using installation = await openInstallation();
    const show = ['catalogue', 'show'];
    await installation.run(['catalogue', 'apply', '-'], { stdin: 'models: []' });
    const path = join(installation.dir, 'data', 'secret');
    const secret = await readFile(path, 'utf8');
    expect(secret.trim().length).toBeGreaterThanOrEqual(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    await installation.json(show);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(secret);
  });

  test('of fewer than 32 bytes is refused, in the setting and in the file', async () => {
    await using installation = await openInstallation();
    const given = await installation.run(['serve'], { env: { ZASTAVA_SECRET: 'x'.repeat(31) } });
    expect(given).toMatchObject({ code: 78, out: '' });
    expect(given.err).toMatch(/^zastava: ZASTAVA_SECRET: must have at least 32 bytes/);
    const path = join(installation.dir, 'data', 'secret');
    await mkdir(join(installation.dir, 'data'), { recursive: true });
    await writeFile(path, 'short');
    const stored = await installation.run(['serve']);
    expect(stored).toMatchObject({ code: 78, out: '' });
    expect(stored.err).toContain(`${path}: must have at least 32 bytes`);
  });
});

describe('a data directory without a database', () => {
  test.each(['ledger verify', 'user list', 'catalogue show', 'backup copy', 'trust release list'])(
    'is refused by %s, and stays unchanged',
    async (words) => {
      await using installation = await openInstallation();
      const dir = join(installation.dir, 'data');
      const { code, out, err } = await installation.run(words.split(' '));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^zastava: ZASTAVA_DATA_DIR: there is no database in [^\n]+\n$/);
      expect(err).toContain(dir);
      expect(existsSync(dir)).toBe(false);
    },
  );

  test('is created by commands that are useful before the first start', async () => {
    for (const words of [
      ['user', 'add', 'ivan'],
      ['catalogue', 'apply', '-'],
      ['trust', 'check', '--offline', 'example.com'],
    ]) {
      await using installation = await openInstallation();
      const created = await installation.run(words, { stdin: 'models: []' });
      const notice = `zastava: made a new database in ${join(installation.dir, 'data')}\n`;
      expect(created).toMatchObject({ code: 0, err: notice });
      expect(await installation.json<object>(['ledger', 'verify'])).toMatchObject({ holds: true });
    }
  });

  test('is named by a command that found it in the current folder, which is not its own', async () => {
    await using installation = await openInstallation();
    await installation.run(['user', 'add', 'ivan']);
    const unset = { env: { ZASTAVA_DATA_DIR: '' } };
    const { code, err } = await installation.spawn(['user', 'list'], unset);
    const dir = join(installation.dir, 'data');
    expect({ code, err }).toEqual({ code: 0, err: `zastava: this is the database in ${dir}\n` });
    expect((await installation.run(['user', 'list'])).err).toBe('');
  });
});

test.each([
  ['ivan', 'short'],
  ['two words', 'long enough'],
])(
  'a user %p with the password %p is refused before there is a database',
  async (login, password) => {
    await using installation = await openInstallation();
    const words = ['user', 'add', login, '--password-stdin'];
    expect((await installation.run(words, { stdin: password })).code).toBe(1);
    expect(existsSync(join(installation.dir, 'data'))).toBe(false);
  },
);

describe('a catalogue file', () => {
  const catalogue = (key: string) => `
providers:
  mine: { kind: openai, base_url: "http://127.0.0.1:9/v1", api_key: "${key}" }
models:
  - { id: 101, provider: mine, model: m, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100 }
`;

  test('is applied at the start', async () => {
    await using installation = await openInstallation();
    const path = join(installation.dir, 'catalogue.yaml');
    await writeFile(path, catalogue('${MY_KEY}'));
    await installation.serve({ ZASTAVA_CATALOGUE: path, MY_KEY: 'k' });
    const { models } = await installation.json<{ models: { id: number }[] }>(['catalogue', 'show']);
    expect(models.map(({ id }) => id)).toContain(101);
  });

  test('that refers to an unset variable is refused by name, and changes nothing', async () => {
    await using installation = await openInstallation();
    const path = join(installation.dir, 'catalogue.yaml');
    await writeFile(path, catalogue('${MY_KEY}'));
    const { code, out, err } = await installation.run(['serve'], {
      env: { ZASTAVA_CATALOGUE: path },
    });
    expect({ code, out }).toEqual({ code: 78, out: '' });
    expect(err).toMatch(/^zastava: the catalogue refers to MY_KEY: [^\n]+\n$/);
    expect(await installation.json<unknown[]>(['user', 'list'])).toEqual([]);
    const { models } = await installation.json<{ models: { id: number }[] }>(['catalogue', 'show']);
    expect(models.map(({ id }) => id)).not.toContain(101);
  });
});

describe('an unusable setting', () => {
  const settings: [name: string, value: string][] = [
    ['ZASTAVA_HOST', '203.0.113.7'],
    ['ZASTAVA_HOST', '256.1.1.1'],
    ['ZASTAVA_PORT', '65536'],
    ['ZASTAVA_DATABASE_URL', 'postgres://nobody:hidden@127.0.0.1:1/none'],
    ['ZASTAVA_PUBLIC_URL', 'chat.example.org'],
    ['ZASTAVA_CATALOGUE', '/nowhere/catalogue.yaml'],
    ['ZASTAVA_ADMIN_LOGIN', 'two words'],
    ['ZASTAVA_ADMIN_PASSWORD', 'short'],
    ['ZASTAVA_TOKEN_TTL_SECONDS', '0'],
    ['ZASTAVA_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['ZASTAVA_LOG_LEVEL', 'loud'],
    ['ZASTAVA_LEGACY_CHARSET', 'koi8-r'],
    ['ZASTAVA_TRUST_DAILY_ALLOWANCE', '-1'],
    ['ZASTAVA_DRAIN_SECONDS', 'forever'],
    ['ZASTAVA_CORS_ORIGINS', 'https://example.org/path'],
    ['ZASTAVA_FETCH_ALLOW', 'foo'],
    ['ZASTAVA_FETCH_RESOLVE', 'foo'],
  ];
  /** An address that the machine may get later, or a database that may come up: systemd tries again. */
  const mayPass = new Set([
    '203.0.113.7',
    '256.1.1.1',
    'postgres://nobody:hidden@127.0.0.1:1/none',
  ]);

  test.each(settings)('%s=%s is refused in one line that names it', async (name, value) => {
    await using installation = await openInstallation();
    const secret = { ZASTAVA_SECRET: 's'.repeat(40) };
    const { code, out, err } = await installation.run(['serve'], {
      env: { ...secret, [name]: value },
    });
    expect({ code, out }).toEqual({ code: mayPass.has(value) ? 1 : 78, out: '' });
    expect(err).toMatch(new RegExp(`^zastava: ${name}: `));
    expect(err).not.toContain('hidden');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    ['ZASTAVA_PORT', '-1'],
    ['ZASTAVA_PORT', '80.5'],
    ['ZASTAVA_DATABASE_URL', 'mysql://localhost/x'],
    ['ZASTAVA_DATABASE_CONNECTIONS', '1'],
    ['ZASTAVA_DATABASE_POOLING', 'statement'],
    ['ZASTAVA_PUBLIC_URL', 'ftp://example.org'],
    ['ZASTAVA_PUBLIC_URL', 'https://u:p@example.org'],
    ['ZASTAVA_PUBLIC_URL', 'https://example.org/?y=1'],
    ['ZASTAVA_PUBLIC_URL', 'https://example.org/#f'],
    ['ZASTAVA_TOKEN_TTL_SECONDS', 'day'],
    ['ZASTAVA_TRUSTED_PROXIES', 'proxy'],
    ['ZASTAVA_TRUSTED_PROXIES', '10.0.0.1,10.0.0.0/8/8'],
    ['ZASTAVA_DRAIN_SECONDS', '3601'],
    ['ZASTAVA_CORS_ORIGINS', 'chat.example.org'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `));
  });

  test('all of several are named', () => {
    const bad = { ZASTAVA_PORT: 'x', ZASTAVA_LOG_LEVEL: 'y' };
    expect(() => readConfig(bad)).toThrow(/ZASTAVA_PORT: .*\nZASTAVA_LOG_LEVEL: /);
  });

  test('unreadable certificates are named, and do not prevent the start', async () => {
    await using installation = await openInstallation();
    const file = join(installation.dir, 'nothing.pem');
    const server = await installation.serve({ NODE_EXTRA_CA_CERTS: file });
    server.signal('SIGTERM');
    const { code, err } = await server.exited;
    expect(code).toBe(0);
    expect(err).toContain(`NODE_EXTRA_CA_CERTS: ${file} can't be read`);
  });

  test('a data directory that is a file is refused by name', async () => {
    await using installation = await openInstallation();
    const path = join(installation.dir, 'file');
    await writeFile(path, '');
    const { code, err } = await installation.run(['serve'], { env: { ZASTAVA_DATA_DIR: path } });
    expect(code).toBe(1);
    expect(err).toMatch(/^zastava: ZASTAVA_DATA_DIR: [^\n]+\n$/);
  });
});
