/** Limits, tags and rotation of API keys on the command line. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openInstallation, post } from './installation.ts';

for (const dialect of dialects) {
  describe(`${dialect}: the command line`, () => {
    test('makes keys with limits, changes them, and gives them a new secret', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      await json(['user', 'add', 'ivan', '--credit', '10']);
      const create = ['key', 'create', 'ivan', '--name', 'x', '--rubles-total', '2.5'];
      create.push('--tag', 'bots', '--tag', 'shop', '--models', '1,2');
      const made = await json<{ id: string; key: string }>(create);
      const { id } = made;
      expect(await json<object>(['key', 'limit', id])).toMatchObject({
        tags: ['bots', 'shop'],
        limits: { rubles_total: 2.5, models: [1, 2], rubles_per_month: null },
        used: { rubles_total: 0, held: 0 },
      });
      const changes = ['--rubles-total', 'none', '--models', 'all', '--rubles-per-month', '7'];
      const more = ['--tag', 'none', '--expires', '2099-12-31', '--requests-per-minute', '5'];
      expect(await json<object>(['key', 'limit', id, ...changes, ...more])).toMatchObject({
        tags: [],
        expires_at: Date.UTC(2099, 11, 31, 23, 59, 59) / 1000,
        limits: { rubles_total: null, models: null, rubles_per_month: 7, requests_per_minute: 5 },
      });
      const wrong = await run(['key', 'limit', id, '--models', '999']);
      expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('no model 999')]);
      const second = await json<{ key: string; old_until: number }>(['key', 'rotate', id]);
      expect(second.old_until - Date.now() / 1000).toBeGreaterThan(86_000);
      const later = ['key', 'rotate', id, '--old-until', '7d'];
      const week = await json<{ key: string; old_until: number }>(later);
      expect(week.old_until - second.old_until).toBeGreaterThan(5 * 86_400);
      const { url } = await installation.serve();
      const statusOf = async (key: string) => (await post(url, '/account/', {}, key)).status;
      expect([await statusOf(made.key), await statusOf(week.key)]).toEqual([401, 200]);
      expect((await run(['key', 'rotate', id, '--old-until', '7w'])).code).not.toBe(0);
    });
  });
}
