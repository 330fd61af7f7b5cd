/** One user's transactions and usage, for admins. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { addUsage, send } from './records.ts';

interface Transactions {
  login: string;
  transactions: { id: number; kind: string; amount: number; balance_after: number }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: the records of a user`, () => {
    test('are the same for an admin as for the user', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const alice = await gateway.addUser({ login: 'alice', credit: 10 });
      await send(gateway, alice.token, { room_id: await gateway.room(alice.token), message: 'Hi' });
      const query = { login: 'ALICE' };
      const seen = await gateway.data<Transactions>('/admin/users/transactions/', query, admin);
      const own = await gateway.data<Transactions>('/account/transactions/', {}, alice);
      expect(seen).toEqual({ login: 'alice', transactions: own.transactions });
      expect(seen.transactions.map(({ kind }) => kind)).toEqual(['charge', 'top_up']);
      const usage = await gateway.data<object>('/admin/users/usage/', query, admin);
      expect(usage).toEqual({
        login: 'alice',
        ...(await gateway.data<object>('/account/usage/', {}, alice)),
      });
    });

    test('have pages and ranges of days', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { userId, login } = await gateway.addUser({ credit: 10 });
      for (let index = 0; index < 3; index++) {
        await gateway.core.ledger.credit(userId, 1, { reason: 'more', madeBy: 'test' });
      }
      const page = { login, limit: 2, before: 4 };
      const { transactions } = await gateway.data<Transactions>(
        '/admin/users/transactions/',
        page,
        admin,
      );
      expect(transactions.map(({ id }) => id)).toEqual([3, 2]);
      await addUsage(gateway, userId, ['2026-01-01', '2026-01-02', '2026-01-03']);
      const range = { login, from: '2026-01-02', to: '2026-01-03' };
      const usage = await gateway.data<{ days: { day: string }[]; total_spend: number }>(
        '/admin/users/usage/',
        range,
        admin,
      );
      expect(usage.days.map(({ day }) => day)).toEqual(['2026-01-03', '2026-01-02']);
      expect(usage.total_spend).toBe(2);
      const wrong = { ...range, from: '2026-01-04' };
      expect(await gateway.code('/admin/users/usage/', wrong, admin)).toBe('invalid_request');
      for (const path of ['/admin/users/transactions/', '/admin/users/usage/']) {
        expect(await gateway.code(path, { login: 'nobody' }, admin)).toBe('not_found');
      }
    });
  });
}
