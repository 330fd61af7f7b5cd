/** A change of ZASTAVA_SECRET: while the previous one is set, nothing ends; afterwards it can be removed. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { openInstallation, post } from './installation.ts';

const [before, after] = ['old secret '.repeat(4), 'new secret '.repeat(4)];
const password = 'chosen by the operator';
const catalogue = `
providers:
  mine: { kind: openai, base_url: "http://127.0.0.1:9/v1", api_key: sk-written-in-clear }
models:
  - { id: 101, provider: mine, model: m, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100 }
`;

for (const dialect of dialects) {
  describe(`${dialect}: the secret`, () => {
    test('is changed without ending a token or applying the catalogue again', async () => {
      await using installation = await openInstallation(dialect);
      const { run, dir } = installation;
      const file = join(dir, 'catalogue.yaml');
      await writeFile(file, catalogue);
      const env = { ZASTAVA_ADMIN_PASSWORD: password };
      const start = async (secrets: Record<string, string>) => {
        const server = await installation.serve({ ...env, ...secrets });
        return {
          status: async (token: string) => (await post(server.url, '/account/', {}, token)).status,
          logIn: async () => {
            const { body } = await post(server.url, '/auth/login/', { login: 'admin', password });
            return (body.data as { token: string }).token;
          },
          stop: async () => {
            server.signal('SIGTERM');
            return (await server.exited).err;
          },
        };
      };
      const first = await start({ ZASTAVA_SECRET: before });
      const old = await first.logIn();
      const applied = await run(['catalogue', 'apply', file], { env: { ZASTAVA_SECRET: before } });
      expect(applied.code).toBe(0);
      await first.stop();

      const changing = { ZASTAVA_SECRET: after, ZASTAVA_SECRET_PREVIOUS: before };
      const second = await start({ ...changing, ZASTAVA_LOG_LEVEL: 'info' });
      expect(await second.status(old)).toBe(200);
      const fresh = await second.logIn();
      const output = await second.stop();
      expect(output).toContain('provider keys encrypted with the new secret');
      expect(output).not.toContain('can not be read');

      const third = await start({ ZASTAVA_SECRET: after });
      expect(await third.status(fresh)).toBe(200);
      expect(await third.status(old)).toBe(401);
      // The key that was encrypted with the old secret is readable.
      expect(await third.stop()).not.toContain('can not be read');
      const { out } = await run(['audit', '--origin', 'server', '--json'], { env });
      const acts = out.trim().split('\n');
      expect(acts.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
        'secret_changed',
        'user_added',
      ]);
    });
  });
}

test('the previous secret is validated, too', async () => {
  await using installation = await openInstallation();
  const env = { ZASTAVA_SECRET: after, ZASTAVA_SECRET_PREVIOUS: 'short' };
  const { code, err } = await installation.run(['serve'], { env });
  expect(code).toBe(78);
  expect(err).toMatch(/^zastava: ZASTAVA_SECRET_PREVIOUS: must have at least 32 bytes/);
});
