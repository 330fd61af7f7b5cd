/** Limits and attempts on the command line, beside a running server. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { logIn, openInstallation, post } from './installation.ts';

interface Limited {
  login: string;
  limits: Record<string, unknown>;
}

const none = {
  requests_per_minute: null,
  tokens_per_minute: null,
  rubles_per_day: null,
  models: null,
};

for (const dialect of dialects) {
  describe(`${dialect}: limits of a user on the command line`, () => {
    test('are set, shown, enforced by the server at once, and removed', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run } = installation;
      const { url } = await installation.serve();
      const added = await json<{ password: string }>(['user', 'add', 'ivan', '--credit', '100']);
      const token = await logIn(url, 'ivan', added.password);
      const limits = (...words: string[]) => json<Limited>(['user', 'quota', 'Ivan', ...words]);

      expect(await limits()).toEqual({ login: 'ivan', limits: none });
      const set = await limits(
        '--requests-per-minute',
        '1',
        '--tokens-per-minute',
        '50000',
        '--rubles-per-day',
        '12.5',
        '--models',
        '2, 1',
      );
      const all = {
        requests_per_minute: 1,
        tokens_per_minute: 50_000,
        rubles_per_day: 12.5,
        models: [1, 2],
      };
      expect(set).toEqual({ login: 'ivan', limits: all });
      expect(await limits()).toEqual({ login: 'ivan', limits: all });
      expect(await json<Limited>(['user', 'show', 'ivan'])).toMatchObject({ limits: all });
      const { out } = await run(['user', 'show', 'ivan']);
      expect(out).toMatch(/rubles a day: +12\.50 ₽\nmodels: +1, 2\n/);
      expect((await post(url, '/account/', {}, token)).body.data).toMatchObject({ limits: all });

      const room = (await post(url, '/ai/room/', {}, token)).body.data['room_id'];
      const send = () => post(url, '/ai/send/', { room_id: room, ai: 1, message: 'Hi' }, token);
      const first = await send();
      expect(first.status).toBe(200);
      expect((await send()).body.error.code).toBe('rate_limited');
      await limits('--requests-per-minute', 'none', '--models', '2');
      expect((await send()).body.error.code).toBe('model_not_found');
      await limits('--models', 'all', '--tokens-per-minute', 'none', '--rubles-per-day', 'none');
      expect(await limits()).toEqual({ login: 'ivan', limits: none });
      expect((await send()).status).toBe(200);

      const id = String(first.body.data['id']);
      const tries = await json<object>(['user', 'attempts', 'ivan', id]);
      expect(tries).toMatchObject({
        login: 'ivan',
        room_id: room,
        message_id: Number(id),
        state: 'done',
        attempts: [{ provider: 'sandbox', model: 'sandbox-text', outcome: 'ok' }],
      });
      const table = await run(['user', 'attempts', 'ivan', id]);
      expect(table.out).toMatch(
        /state: +done\ncharge: .*\nrefunded: .*\nyour cost: +not known\nmargin: .*\n\nSTARTED +WAITED +TOOK +PROVIDER .*\n.* sandbox +sandbox-text +- +ok/,
      );
      expect((await run(['user', 'attempts', 'ivan', '999'])).code).toBe(1);
    });
  });
}

test('an invalid limit is refused by its option', async () => {
  await using installation = await openInstallation('sqlite');
  const { json, run } = installation;
  await json<object>(['user', 'add', 'ivan']);
  const refused: [words: string[], named: string][] = [
    [['--requests-per-minute', '-1'], '--requests-per-minute'],
    [['--requests-per-minute', '0'], '--requests-per-minute'],
    [['--tokens-per-minute', 'many'], '--tokens-per-minute'],
    [['--rubles-per-day', '0'], '--rubles-per-day'],
    [['--rubles-per-day', '0.0000001'], '--rubles-per-day'],
    [['--models', 'mini'], '--models'],
    [['--models', ''], '--models'],
    [['--models', '1,77777'], '77777'],
  ];
  for (const [words, named] of refused) {
    const { code, out, err } = await run(['user', 'quota', 'ivan', ...words]);
    expect([words, code === 0, out]).toEqual([words, false, '']);
    expect(err).toContain(named);
  }
  expect((await json<Limited>(['user', 'quota', 'ivan'])).limits).toEqual(none);
  expect((await run(['user', 'quota', 'nobody'])).code).toBe(1);
});
