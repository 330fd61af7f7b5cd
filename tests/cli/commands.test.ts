/** Every command with its result, on both databases, beside a running server. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { launcher, logIn, openInstallation, post } from './installation.ts';

interface ShownUser {
  id: number;
  login: string;
  balance: number;
  password: string;
}

/**
 * Uses a credential until it is refused.
 * @returns the code of the refusal
 */
async function firstRefusal(url: string, key: string): Promise<string> {
  for (;;) {
    const { status, body } = await post(url, '/account/', {}, key);
    if (status !== 200) return body.error.code;
  }
}

for (const dialect of dialects) {
  describe(`${dialect}: users`, () => {
    test('are added, topped up, corrected, limited, blocked, listed and given a password', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const { url } = await installation.serve();

      const added = await json<ShownUser>(['user', 'add', 'ivan', '--credit', '12.50']);
      expect(added).toMatchObject({ login: 'ivan', is_admin: false, balance: 12.5, held: 0 });
      const token = await logIn(url, 'ivan', added.password);
      expect((await post(url, '/account/', {}, token)).body.data).toMatchObject({ balance: 12.5 });

      expect(
        await json<object>(['user', 'credit', 'Ivan', '0.000001', '--reason', 'счёт 17']),
      ).toEqual({ login: 'ivan', amount: 0.000001, balance: 12.500001 });
      expect(await json<object>(['user', 'credit', 'ivan', '-5', '--reason', 'x'])).toMatchObject({
        amount: -5,
        balance: 7.500001,
      });
      const tooMuch = await run(['user', 'credit', 'ivan', '-7.6', '--reason', 'x']);
      expect(tooMuch).toMatchObject({ code: 1, out: '' });
      expect(await json<object>(['user', 'limit', 'ivan', '100'])).toMatchObject({
        credit_limit: 100,
        available: 107.500001,
      });
      const { body } = await post(url, '/account/transactions/', {}, token);
      expect(body.data).toMatchObject({
        transactions: [
          { kind: 'adjustment', amount: -5, reason: 'x', made_by: 'cli' },
          { kind: 'top_up', amount: 0.000001, reason: 'счёт 17', made_by: 'cli' },
          { kind: 'top_up', amount: 12.5, made_by: 'cli' },
        ],
      });

      expect(await json<object>(['user', 'transactions', 'ivan', '--limit', '1'])).toMatchObject([
        { kind: 'adjustment', amount: -5, balance_after: 7.500001 },
      ]);
      expect(await json<object>(['user', 'usage', 'ivan'])).toEqual([]);
      const lent = ['user', 'list', '--search', 'IV', '--order', 'balance', '--descending'];
      expect(await json<object>(lent)).toMatchObject([{ login: 'ivan', last_used_at: null }]);
      expect(await json<object>(['user', 'list', '--negative'])).toEqual([]);
      expect(await json<object>(['status'])).toMatchObject({
        database: dialect,
        started_at: null,
        nodes: [{ is_this: false, open_holds: 0 }],
        open_holds: { count: 0, amount: 0 },
        today: { requests: 0, spend: 0 },
      });
      expect(await json<object>(['usage', '--by', 'user', '--login', 'ivan'])).toMatchObject({
        rows: [],
        count: 0,
        total_spend: 0,
      });
      expect((await run(['usage', '--by', 'room'])).code).not.toBe(0);

      const password = 'пароль с пробелом';
      const given = { stdin: `${password}\n` };
      expect((await run(['user', 'password', 'ivan', '--password-stdin'], given)).code).toBe(0);
      expect(await logIn(url, 'ivan', password)).toMatch(/^ey/);

      expect((await run(['user', 'block', 'ivan'])).out).toBe('ivan is blocked\n');
      expect((await post(url, '/auth/login/', { login: 'ivan', password })).status).toBe(403);
      expect(await json<object>(['user', 'unblock', 'ivan'])).toMatchObject({ is_blocked: false });
      expect(await logIn(url, 'ivan', password)).toMatch(/^ey/);

      expect(await json<ShownUser[]>(['user', 'list'])).toMatchObject([
        { login: 'admin', is_admin: true, balance: 1000 },
        { login: 'ivan', is_blocked: false, balance: 7.500001 },
      ]);
      const { out } = await run(['user', 'list']);
      expect(out.split('\n')[2]).toMatch(/^ +2 {2}ivan {3}active {2}user +7\.500001 ₽ +0\.00 ₽ /);
    });

    test('are exported completely, and erased permanently', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const { url } = await installation.serve();
      const { password } = await json<ShownUser>(['user', 'add', 'ivan', '--credit', '10']);
      const token = await logIn(url, 'ivan', password);
      const room = (await post(url, '/ai/room/', {}, token)).body.data['room_id'];
      await post(url, '/ai/send/', { room_id: room, ai: 1, message: 'тайна' }, token);
      const drawn = await post(
        url,
        '/ai/send/',
        { room_id: room, ai: 2, message: 'a gate' },
        token,
      );
      const image = String(drawn.body.data['response']);
      expect((await fetch(image)).status).toBe(200);

      const exported = await run(['user', 'export', 'ivan']);
      // The command does not know which port the system chose for the server.
      const image_url = new URL(image).pathname;
      expect(JSON.parse(exported.out)).toMatchObject({
        profile: { login: 'ivan' },
        rooms: [
          { room_id: room, messages: [{ request: 'тайна' }, { request: 'a gate', image_url }] },
        ],
        transactions: [{ kind: 'charge' }, { kind: 'charge' }, { kind: 'top_up' }],
      });

      const { id } = await json<ShownUser>(['user', 'show', 'ivan']);
      expect(await json<object>(['user', 'erase', 'ivan', '--yes'])).toEqual({
        id,
        login: `erased-${id}`,
        erased: true,
      });
      expect((await fetch(image)).status).toBe(404);
      expect((await run(['user', 'export', `erased-${id}`])).out).not.toContain('тайна');
      expect((await run(['user', 'show', 'ivan'])).code).toBe(1);
      expect(await json<object>(['ledger', 'verify'])).toMatchObject({ holds: true });
    });
  });

  describe(`${dialect}: a secret that is printed once`, () => {
    test('but could not be printed is reported, with what exists now and what to do', async () => {
      await using installation = await openInstallation(dialect);
      const full = async (words: string[]) => {
        const { env, dir: cwd } = installation;
        const stdout = Bun.file('/dev/full');
        const child = Bun.spawn([...launcher, ...words], { env, cwd, stdout, stderr: 'pipe' });
        expect(await child.exited).toBe(1);
        return new Response(child.stderr).text();
      };
      expect(await full(['user', 'add', 'ivan'])).toMatch(
        /^zastava: the user ivan is added, and the password is lost: set one with zastava user password \(/m,
      );
      const made = await full(['key', 'create', 'ivan', '--name', 'x']);
      const [key] = await installation.json<{ id: string }[]>(['key', 'list', 'ivan']);
      expect(made).toContain(`the API key ${key?.id} is made`);
      expect(made).toContain(`zastava key revoke ${key?.id}`);
    });

    test('but cannot be read is reported: standard output is closed, or the null device', async () => {
      await using installation = await openInstallation(dialect);
      const { env, dir: cwd, json } = installation;
      for (const redirection of ['>&-', '>/dev/null']) {
        const unread = async (words: string[], code: number) => {
          const script = [`exec "$@" ${redirection}`, 'sh', ...launcher, ...words];
          const child = Bun.spawn(['sh', '-c', ...script], { env, cwd, stderr: 'pipe' });
          expect(await child.exited).toBe(code);
          return new Response(child.stderr).text();
        };
        const login = redirection === '>&-' ? 'ivan' : 'olga';
        const why = '(standard output is closed, or the null device)';
        expect(await unread(['user', 'add', login], 1)).toEndWith(
          `zastava: the user ${login} is added, and the password is lost: set one with zastava user password ${why}\n`,
        );
        const { password } = await json<{ password: string }>(['user', 'password', login]);
        expect(password).toMatch(/^\S{16,}$/);
        const made = await unread(['key', 'create', login, '--name', 'x', '--json'], 1);
        const [key] = await json<{ id: string }[]>(['key', 'list', login]);
        expect(JSON.parse(made)).toEqual({
          error: {
            code: 'failed',
            message: `the API key ${key?.id} is made, and its text is lost: zastava key revoke ${key?.id}, and make another ${why}`,
          },
        });
        // A result without a secret is not reported as lost.
        expect(await unread(['user', 'list'], 0)).toBe('');
      }
    });

    test('a password with control characters is refused before anything is created', async () => {
      await using installation = await openInstallation(dialect);
      await installation.json(['user', 'add', 'ivan']);
      for (const words of [
        ['user', 'add', 'olga'],
        ['user', 'password', 'ivan'],
      ]) {
        const stdin = 'long enough\0but no line\n';
        const { code, err } = await installation.run([...words, '--password-stdin'], { stdin });
        expect(code).toBe(1);
        expect(err).toBe('zastava: password: must be one line without control characters\n');
      }
      expect(await installation.json<object[]>(['user', 'list'])).toHaveLength(1);
    });
  });

  describe(`${dialect}: keys`, () => {
    test('are shown once, listed without their secret, and revoked', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const { url } = await installation.serve();
      const name = 'ноутбук';
      const made = await json<{ id: string; key: string; expires_at: number }>([
        'key',
        'create',
        'admin',
        '--name',
        name,
        '--expires',
        '2099-12-31',
      ]);
      expect(made.expires_at).toBe(Date.parse('2099-12-31T23:59:59Z') / 1000);
      expect((await post(url, '/account/', {}, made.key)).status).toBe(200);
      expect(await json<object[]>(['key', 'list', 'admin'])).toEqual([
        expect.objectContaining({ id: made.id, name, hint: made.key.slice(-4), revoked_at: null }),
      ]);
      const listed = await run(['key', 'list', 'admin']);
      expect(listed.out).toContain(name);
      expect(listed.out).not.toContain(made.key);
      expect((await run(['key', 'revoke', made.id])).code).toBe(0);
      // The server caches a caller for some seconds.
      expect(await firstRefusal(url, made.key)).toBe('token_revoked');
      expect((await run(['key', 'revoke', '0'.repeat(16)])).code).toBe(1);
    });
  });

  describe(`${dialect}: the catalogue`, () => {
    const file = (price: number) => `
providers:
  mine: { kind: openai, base_url: "http://127.0.0.1:9/v1", api_key: "\${MY_KEY}" }
models:
  - { id: 101, provider: mine, model: m, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100,
      cost_input_tokens_rub: ${price}, cost_output_tokens_rub: 2 }
`;

    test('is shown, tried, applied, and applied again without changes', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run, dir } = installation;
      const path = join(dir, 'catalogue.yaml');
      await writeFile(path, file(25));
      const env = { MY_KEY: 'k' };
      const tried = await run(['catalogue', 'apply', path, '--dry-run'], { env });
      const bound = 'binds MY_KEY to http://127.0.0.1:9\n';
      expect(tried.out).toBe(`added provider mine\nadded model 101 mine/m\n${bound}`);
      expect((await run(['catalogue', 'show'])).out).not.toContain('mine');

      const applied = await run(['catalogue', 'apply', path], { env });
      expect(applied).toMatchObject({ code: 0, out: tried.out, err: '' });
      expect(await run(['catalogue', 'apply', path], { env })).toMatchObject({
        code: 0,
        out: `nothing changes\n${bound}`,
        err: '',
      });
      expect(await json<object>(['catalogue', 'apply', '-'], { stdin: file(30), env })).toEqual({
        dry_run: false,
        changes: [
          expect.objectContaining({
            text: 'changed model 101 mine/m: cost_input_tokens_rub 25 -> 30',
          }),
        ],
        bindings: [{ name: 'MY_KEY', hosts: ['http://127.0.0.1:9'] }],
        warnings: [],
        unset: [],
      });
      const odd = file(30).replace('cost_input_tokens_rub: 30, ', '');
      const warned = await run(['catalogue', 'apply', '-', '--dry-run'], { stdin: odd, env });
      expect(warned).toMatchObject({ code: 0, err: expect.stringContaining('so input is free') });
      expect((await run(['catalogue', 'show'])).out).toMatch(
        /^101 +mine +m +TEXT +text +file +30 +2 /m,
      );

      const price = ['catalogue', 'price', '101'];
      const fields = ['cost_input_tokens_rub=31.5', 'cost_output_tokens_rub=2'];
      const dry = await run([...price, ...fields, '--dry-run']);
      expect(dry.out).toBe('changed model 101 mine/m: cost_input_tokens_rub 30 -> 31.5\n');
      expect((await run([...price, ...fields])).out).toBe(dry.out);
      for (const wrong of [
        [],
        ['cost_inputs=1'],
        ['cost_input_tokens_rub'],
        [...fields, '--none'],
      ]) {
        expect((await run([...price, ...wrong])).code).not.toBe(0);
      }
      expect(await json<object>(['catalogue', 'versions', '101'])).toMatchObject([
        { fields: [{ field: 'cost_input_tokens_rub', from: 30, to: 31.5 }] },
        { fields: [{ field: 'cost_input_tokens_rub', from: 25, to: 30 }] },
        { fields: [] },
      ]);
      const versions = (await run(['catalogue', 'versions', '101'])).out;
      expect(versions).toStartWith('model: 101 mine/m\n\nVERSION');
      expect(versions).toMatch(/ at first: cost_input_tokens_rub 25, cost_output_tokens_rub 2\n$/);
      const unknown = await run(['catalogue', 'versions', '999']);
      expect(unknown).toMatchObject({ code: 1, err: 'zastava: there is no model 999\n' });
      const yaml = (await run(['catalogue', 'show', '--yaml'])).out;
      expect(yaml).toContain('cost_input_tokens_rub: 31.5');
      const again = await run(['catalogue', 'apply', '-', '--dry-run'], { stdin: yaml, env });
      expect(again.out).toStartWith('nothing changes\n');
    });

    test('is refused if a variable is not set, unless that is allowed', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      await json(['user', 'add', 'ivan']);
      for (const words of [[], ['--dry-run']]) {
        const refused = await run(['catalogue', 'apply', '-', ...words], { stdin: file(25) });
        expect(refused).toMatchObject({ code: 1, out: '' });
        expect(refused.err).toMatch(
          /^zastava: not set here: MY_KEY\. [^\n]+ --allow-unset [^\n]+\n$/,
        );
      }
      const allowed = ['catalogue', 'apply', '-', '--allow-unset'];
      expect(await json<object>(allowed, { stdin: file(25) })).toMatchObject({ unset: ['MY_KEY'] });
      expect((await run(['catalogue', 'show'])).out).toMatch(/^101 +mine /m);
      const again = await run(allowed, { stdin: file(25) });
      expect(again.err).toMatch(/^zastava: MY_KEY is not set here: [^\n]+\n$/);
    });

    test('is refused as a whole if invalid, with every problem and its line', async () => {
      await using installation = await openInstallation(dialect);
      await installation.json(['user', 'add', 'ivan']);
      const wrong = { stdin: file(-1).replace('TEXT', 'AUDIO') };
      const { code, out, err } = await installation.run(['catalogue', 'apply', '-'], wrong);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.split('\n')).toEqual([
        'zastava: the catalogue was refused:',
        'zastava: line 5: models[0].type: must be TEXT or IMAGE',
        'zastava: line 6: models[0].cost_input_tokens_rub: must not be negative',
        '',
      ]);
      const empty = await installation.run(['catalogue', 'apply', '-'], { stdin: '# nothing' });
      expect(empty.err).toMatch(
        /^zastava: the catalogue was refused:\nzastava: line 1: the file must/,
      );
      const cut = await installation.run(['catalogue', 'apply', '-'], { stdin: 'models: [' });
      expect(cut.err).toMatch(/^zastava: the catalogue was refused:\nzastava: line 1: [^:\n]+\n/);
      const piped = await installation.spawn(['catalogue', 'apply', '/dev/stdin'], {
        stdin: file(25),
        env: { MY_KEY: 'k' },
      });
      expect(piped.out).toStartWith('added provider mine\nadded model 101 mine/m\n');
      const endless = await installation.run(['catalogue', 'apply', '/dev/zero']);
      expect(endless.err).toBe(
        "zastava: /dev/zero can't be read: it has more than 16777216 bytes\n",
      );
      const missing = await installation.run(['catalogue', 'apply', 'nowhere.yaml']);
      expect(missing.err).toMatch(/^zastava: nowhere\.yaml can't be read: /);
    });
  });
}
