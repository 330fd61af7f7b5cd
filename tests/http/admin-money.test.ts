/** Amounts sent by admins, to the micro-ruble, and the proof of the books. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

interface Verified {
  holds: boolean;
  checks: { name: string; holds: boolean; checked: number; broken: object[] }[];
}

const REASON = 'test';

for (const dialect of dialects) {
  describe(`${dialect}: admin money`, () => {
    test('credits and corrections are exact', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ login: 'root', isAdmin: true });
      const { login, userId, token } = await gateway.addUser();
      // Amounts as text in the body, so that no number in this test rounds them first.
      const steps: [amount: string, balance: number, micro: number][] = [
        ['0.000001', 0.000001, 1],
        ['1e-6', 0.000002, 2],
        ['"0.1"', 0.100002, 100_002],
        ['0.2', 0.300002, 300_002],
        ['"1.500000"', 1.800002, 1_800_002],
        ['-0.3', 1.500002, 1_500_002],
        ['"-0.000002"', 1.5, 1_500_000],
        ['-1.5', 0, 0],
        ['8000000000', 8_000_000_000, 8e15],
        ['-0.000001', 7_999_999_999.999999, 8e15 - 1],
        ['"-7999999999.999998"', 0.000001, 1],
        ['7999999999.999999', 8_000_000_000, 8e15],
      ];
      for (const [amount, balance, micro] of steps) {
        const body = `{"login":"${login}","amount":${amount},"reason":"${REASON}"}`;
        const answer = await gateway.data<object>('/admin/users/credit/', body, admin);
        expect(answer).toEqual({ login, amount: Number(JSON.parse(amount)), balance });
        expect((await gateway.core.ledger.account(userId)).balance).toBe(micro);
      }
      const account = await gateway.data<object>('/account/', {}, { token });
      expect(account).toMatchObject({ balance: 8_000_000_000, available: 8_000_000_000 });
      const { transactions } = await gateway.data<{ transactions: object[] }>(
        '/account/transactions/',
        {},
        { token },
      );
      expect(transactions).toHaveLength(steps.length);
      expect(transactions.at(-1)).toMatchObject({
        kind: 'top_up',
        reason: REASON,
        made_by: 'root',
      });
      expect(transactions[1]).toMatchObject({ kind: 'adjustment', amount: -7_999_999_999.999998 });
    });

    test('an invalid amount is refused, and nothing is booked', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, userId } = await gateway.addUser({ credit: 1 });
      const amounts = [
        '0',
        '-0',
        '"0.0"',
        '0.0000001',
        '1e-7',
        '"0.1234567"',
        '-1.000001',
        '8000000000',
        '8000000000.000001',
        '1e400',
        '"1e400"',
        '"NaN"',
        '""',
        '"1,5"',
        '"0x10"',
        '"1 0"',
        'null',
        'true',
        '[]',
        '{}',
        '"1e2"',
        '" 5"',
        '"5 "',
        '"5\\n"',
        '"-+5"',
        '"00000000005"',
      ];
      for (const amount of amounts) {
        const body = `{"login":"${login}","amount":${amount},"reason":"${REASON}"}`;
        const { status, body: answer } = await gateway.post('/admin/users/credit/', body, admin);
        expect([amount, status, answer.error?.details?.[0]?.path]).toEqual([amount, 422, 'amount']);
      }
      expect((await gateway.core.ledger.account(userId)).balance).toBe(1_000_000);
      expect(await gateway.core.ledger.transactions(userId, 10)).toHaveLength(1);
    });

    test('a credit needs a reason and a user', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser();
      for (const reason of [undefined, '', ' \n', 'x'.repeat(1001)]) {
        const body = { login, amount: 1, reason };
        const { body: answer } = await gateway.post('/admin/users/credit/', body, admin);
        expect(answer.error?.details?.[0]?.path).toBe('reason');
      }
      const nobody = { login: 'nobody', amount: 1, reason: REASON };
      expect(await gateway.code('/admin/users/credit/', nobody, admin)).toBe('not_found');
    });

    test('concurrent corrections never take more than the balance', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, userId } = await gateway.addUser({ credit: 1 });
      const body = { login, amount: '-0.3', reason: REASON };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => gateway.post('/admin/users/credit/', body, admin)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect((await gateway.core.ledger.account(userId)).balance).toBe(100_000);
    });

    test('the balance may fall below zero down to the credit limit', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser({ credit: 1 });
      const set = (limit: unknown) => gateway.post('/admin/users/limit/', { login, limit }, admin);
      expect((await set('0.5')).body.data).toEqual({
        login,
        balance: 1,
        held: 0,
        available: 1.5,
        credit_limit: 0.5,
      });
      const credit = { login, amount: -1.5, reason: REASON };
      expect(await gateway.data<object>('/admin/users/credit/', credit, admin)).toMatchObject({
        balance: -0.5,
      });
      expect((await set(0)).body.data).toMatchObject({ available: 0, credit_limit: 0 });
      for (const limit of [-1, 0.0000001, 8_000_000_001, '', null]) {
        const { status, body } = await set(limit);
        expect([status, body.error?.details?.[0]?.path]).toEqual([422, 'limit']);
      }
      const nobody = { login: 'nobody', limit: 1 };
      expect(await gateway.code('/admin/users/limit/', nobody, admin)).toBe('not_found');
    });

    test('verifies the books, and shows what breaks them', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { userId, token } = await gateway.addUser({ credit: 5 });
      const body = { room_id: await gateway.room(token), ai: 1, message: 'hello' };
      await gateway.data<object>('/ai/send/', body, { token });
      const good = await gateway.data<Verified>('/admin/ledger/verify/', {}, admin);
      expect(good.holds).toBe(true);
      expect(good.checks.length).toBeGreaterThanOrEqual(7);
      expect(good.checks.every(({ holds, broken }) => holds && broken.length === 0)).toBe(true);
      await gateway.core.db.transaction((tx) =>
        tx.query('UPDATE accounts SET balance = balance + 1 WHERE user_id = $1', [userId]),
      );
      const bad = await gateway.data<Verified>('/admin/ledger/verify/', {}, admin);
      expect(bad.holds).toBe(false);
      expect(bad.checks.filter(({ holds }) => !holds)).toMatchObject([
        { name: 'every balance equals its entries', broken: [{ user_id: userId }] },
      ]);
    });
  });
}
