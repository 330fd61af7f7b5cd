/** Scopes of keys and initial passwords, set on the command line. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openInstallation, post } from './installation.ts';

const password = 'chosen by the operator';
const next = 'chosen by the user';

for (const dialect of dialects) {
  describe(`${dialect}: the command line`, () => {
    test('makes keys with a scope, or with all rights of the user, and shows it', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const stdin = { stdin: password };
      await json(['user', 'add', 'root', '--password-stdin', '--admin'], stdin);
      expect(await json<object>(['user', 'add', 'ivan', '--operator'])).toMatchObject({
        role: 'operator',
      });
      const make = (login: string, ...words: string[]) =>
        run(['key', 'create', login, '--name', 'x', '--json', ...words]);
      for (const [scope, words] of [
        ['admin', []],
        ['chat', ['--scope', 'chat']],
        ['full', ['--scope', 'full']],
      ] as const) {
        const made = await make('root', ...words);
        expect(JSON.parse(made.out)).toMatchObject({ scope });
      }
      const keys = await json<{ scope: string }[]>(['key', 'list', 'root']);
      expect(keys.map(({ scope }) => scope).toSorted()).toEqual(['admin', 'chat', 'full']);
      const listed = await run(['key', 'list', 'root']);
      expect(listed.out.split('\n')[0]).toContain('SCOPE');
      const unknown = await make('root', '--scope', 'root');
      expect(unknown.code).not.toBe(0);
      expect(unknown.err).toContain('chat, trust, credit, full, operator, admin');
      const plain = await make('ivan', '--scope', 'admin');
      expect(plain.code).toBe(1);
      expect(plain.err).toContain('admin is only for keys of admins');
      expect(JSON.parse((await make('ivan')).out)).toMatchObject({ scope: 'operator' });
      expect(await json<object[]>(['user', 'list', '--operator'])).toMatchObject([
        { login: 'ivan', role: 'operator' },
      ]);
      const role = ['user', 'role', 'ivan', 'user'];
      expect(await json<object>(role)).toEqual({ login: 'ivan', role: 'user' });
      expect((await run(['user', 'show', 'ivan'])).out).toMatch(/role: +user/);
      expect((await run(['user', 'list', '--operator', '--admin'])).code).not.toBe(0);
      const { key } = JSON.parse((await make('root', '--scope', 'chat')).out);
      const server = await installation.serve();
      expect((await post(server.url, '/ai/settings/', {}, key)).status).toBe(200);
      expect((await post(server.url, '/account/', {}, key)).status).toBe(403);
    });

    test('sets initial passwords, which allow only their change', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const stdin = { stdin: password };
      await json(['user', 'add', 'root', '--admin']);
      const added = ['user', 'add', 'ivan', '--password-stdin', '--must-change'];
      expect(await json<object>(added, stdin)).toMatchObject({ must_change_password: true });
      const server = await installation.serve();
      const logIn = async (words: string) => {
        const { body } = await post(server.url, '/auth/login/', { login: 'ivan', password: words });
        return body.data as { token: string; must_change_password?: true };
      };
      const first = await logIn(password);
      expect(first.must_change_password).toBe(true);
      expect((await post(server.url, '/account/', {}, first.token)).status).toBe(403);
      const change = { current_password: password, new_password: next };
      expect((await post(server.url, '/account/password/', change, first.token)).status).toBe(200);
      const second = await logIn(next);
      expect((await post(server.url, '/account/', {}, second.token)).status).toBe(200);

      const reset = ['user', 'password', 'ivan', '--password-stdin', '--must-change'];
      expect((await run(reset, stdin)).code).toBe(0);
      expect((await run(['user', 'show', 'ivan'])).out).toContain('an initial one');
      expect((await logIn(password)).must_change_password).toBe(true);
      await run(['user', 'password', 'ivan', '--password-stdin'], stdin);
      expect(await logIn(password)).not.toHaveProperty('must_change_password');
    });
  });
}
