/** User limits set by admins over HTTP, and what the user sees of them. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { noLimits } from '../../src/ledger/index.ts';
import { failure } from '../support/failure.ts';
import { openGateway } from '../support/gateway.ts';

const none = {
  requests_per_minute: null,
  tokens_per_minute: null,
  rubles_per_day: null,
  models: null,
};

for (const dialect of dialects) {
  describe(`${dialect}: limits that admins set`, () => {
    test('are shown to admins and the user; an absent field keeps its limit, null removes it', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, token } = await gateway.addUser();
      const set = (body: object) =>
        gateway.data<object>('/admin/users/quota/', { login, ...body }, admin);
      expect(await set({})).toEqual({ login, limits: none });
      expect(await set({ requests_per_minute: 7, rubles_per_day: '0.5' })).toEqual({
        login,
        limits: { ...none, requests_per_minute: 7, rubles_per_day: 0.5 },
      });
      const all = {
        requests_per_minute: 7,
        tokens_per_minute: 1_000,
        rubles_per_day: 0.5,
        models: [1, 2],
      };
      expect(await set({ tokens_per_minute: 1_000, models: [2, 1, 2] })).toMatchObject({
        limits: all,
      });
      expect(await gateway.data<object>('/account/', {}, { token })).toMatchObject({ limits: all });
      const shown = await gateway.data<object>('/admin/users/show/', { login }, admin);
      expect(shown).toMatchObject({ limits: all });
      const { users } = await gateway.data<{ users: object[] }>('/admin/users/', {}, admin);
      expect(users).toMatchObject([{ limits: none }, { limits: all }]);
      const exported = await gateway.data<object>('/account/export/', {}, { token });
      expect(exported).toMatchObject({ limits: all });
      const gone = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
      expect(await set(gone)).toEqual({ login, limits: none });
      const [account] = await gateway.core.db.query<{ limited: number }>(
        'SELECT limited FROM accounts WHERE limited <> 0',
      );
      expect(account).toBeUndefined();
    });

    test('are refused by name if invalid', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser();
      const refused: [field: string, value: unknown][] = [
        ...[0, -1, 1.5, '7', 1_000_001, true].map((value): [string, unknown] => [
          'requests_per_minute',
          value,
        ]),
        ['tokens_per_minute', 0],
        ['tokens_per_minute', 1e13],
        ...[0, -1, '0.0000001', 9e9, 'much'].map((value): [string, unknown] => [
          'rubles_per_day',
          value,
        ]),
        ...[[], [77_777], ['1'], 1].map((value): [string, unknown] => ['models', value]),
      ];
      for (const [field, value] of refused) {
        const body = { login, [field]: value };
        const answer = await gateway.post('/admin/users/quota/', body, admin);
        const path = answer.body.error?.details?.[0]?.path.split('.')[0];
        expect([field, value, answer.status, path]).toEqual([field, value, 422, field]);
      }
      expect(await gateway.code('/admin/users/quota/', { login: 'nobody' }, admin)).toBe(
        'not_found',
      );
    });

    test('are validated wherever they are set', async () => {
      await using gateway = await openGateway(dialect);
      const { userId } = await gateway.addUser();
      for (const limits of [
        { requestsPerMinute: 0 },
        { tokensPerMinute: 0 },
        { rublesPerDay: 0 },
      ]) {
        expect(String(await failure(gateway.core.limits.set(userId, limits)))).toContain('must be');
      }
      expect(await gateway.core.limits.get(userId)).toEqual(noLimits);
    });

    test('cannot be changed by their user', async () => {
      await using gateway = await openGateway(dialect);
      const { login, userId, token } = await gateway.addUser({ credit: 1 });
      await gateway.core.limits.set(userId, { requestsPerMinute: 1 });
      const body = { login, requests_per_minute: null };
      expect(await gateway.code('/admin/users/quota/', body, { token })).toBe('forbidden');
      await gateway.core.ledger.credit(userId, 1_000_000, { reason: 'r', madeBy: 'm' });
      await gateway.core.ledger.setCreditLimit(userId, 1_000_000);
      expect((await gateway.core.limits.get(userId)).requestsPerMinute).toBe(1);
    });
  });
}
