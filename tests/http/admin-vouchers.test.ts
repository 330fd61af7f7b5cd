import { describe, expect, test } from 'bun:test';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';
import { dialects } from '../support/databases.ts';
import { expectBooksHold } from '../support/world.ts';

interface Batch {
  id: number;
  count: number;
  redeemed: number;
  revoked: number;
  outstanding: number;
  outstanding_amount: number;
}
interface Made {
  batch: Batch;
  vouchers: { number: number; code: string }[];
}
interface Shown {
  batch: Batch;
  vouchers: { number: number; state: string; login: string | null }[];
}

const CREATE = '/admin/vouchers/create/';
const REDEEM = '/account/redeem/';
/** Well-formed, but of no batch. */
const UNKNOWN = 'R9RA-FXWZ-4FA2-G5P9-RUYS-ZU4D-VGQP-H2FX';

async function made(gateway: Gateway, admin: TestUser, body: object = {}): Promise<Made> {
  return gateway.data<Made>(CREATE, { count: 1, amount: 100, ...body }, admin);
}

for (const dialect of dialects) {
  describe(`vouchers (${dialect})`, () => {
    test('are redeemed once, by the first user, on any node', async () => {
      await using gateway = await openGateway(dialect);
      await using second = await openGateway(dialect, { database: gateway.database });
      const admin = await gateway.addUser({ isAdmin: true });
      const users = await Promise.all(Array.from({ length: 8 }, () => gateway.addUser()));
      const { batch, vouchers } = await made(gateway, admin, { count: 2, note: 'fair' });
      const [code = ''] = vouchers.map((one) => one.code);
      const answers = await Promise.all(
        users.flatMap((user) =>
          [gateway, second].map((node) => node.post(REDEEM, { code: code.toLowerCase() }, user)),
        ),
      );
      // Both attempts of one user succeed, with the same answer.
      const credited = answers.filter(({ status }) => status === 200);
      expect(credited).toHaveLength(2);
      expect(credited[0]?.body.data).toMatchObject({ amount: 100, balance: 100 });
      expect(credited[1]?.body.data).toEqual(credited[0]?.body.data);
      const others = answers.filter(({ status }) => status !== 200);
      expect(new Set(others.map(({ body }) => body.error?.code))).toEqual(
        new Set(['voucher_used']),
      );

      const shown = await gateway.data<Shown>('/admin/vouchers/show/', { id: batch.id }, admin);
      expect(shown.batch).toMatchObject({ redeemed: 1, outstanding: 1, outstanding_amount: 100 });
      const winner = shown.vouchers[0]?.login ?? '';
      const transactions = await gateway.data<{ transactions: object[] }>(
        '/admin/users/transactions/',
        { login: winner },
        admin,
      );
      expect(transactions.transactions).toMatchObject([
        { kind: 'top_up', amount: 100, reason: `voucher ${batch.id}-1`, made_by: 'voucher' },
      ]);
      const user = users.find(({ login }) => login === winner);
      await gateway.core.ledger.credit(user?.userId ?? 0, 5, { reason: 'r', madeBy: 'test' });
      expect(await gateway.data<object>(REDEEM, { code }, user)).toEqual(
        credited[0]?.body.data ?? {},
      );
      await expectBooksHold(gateway);
    });

    test('that expired, were revoked, are unknown or mistyped are refused', async () => {
      let now = Date.now();
      const clock = { now: () => now, monotonic: () => performance.now() };
      await using gateway = await openGateway(dialect, { clock });
      const admin = await gateway.addUser({ isAdmin: true });
      const user = await gateway.addUser();
      const { batch, vouchers } = await made(gateway, admin, {
        count: 3,
        expires_at: Math.floor(now / 1000) + 60,
      });
      const [first = '', second = '', third = ''] = vouchers.map(({ code }) => code);
      const one = { id: batch.id, number: 1 };
      const revoke = (body: object) =>
        gateway.data<{ revoked: number }>('/admin/vouchers/revoke/', body, admin);
      expect((await revoke(one)).revoked).toBe(1);
      expect((await revoke(one)).revoked).toBe(0);
      expect(await gateway.code(REDEEM, { code: first }, user)).toBe('voucher_ended');
      await gateway.data(REDEEM, { code: second }, user);
      now += 61_000;
      expect(await gateway.code(REDEEM, { code: third }, user)).toBe('voucher_ended');
      const found = await gateway.data<Shown>('/admin/vouchers/show/', { code: third }, admin);
      expect(found.vouchers).toMatchObject([{ number: 3, state: 'expired' }]);
      expect(found.batch).toMatchObject({ count: 3, redeemed: 1, revoked: 1, outstanding: 0 });
      // Revoking does not take back redeemed vouchers.
      expect((await revoke({ id: batch.id })).revoked).toBe(1);
      expect((await gateway.core.ledger.account(user.userId)).balance).toBe(100_000_000);
      expect(await gateway.code(REDEEM, { code: UNKNOWN }, user)).toBe('not_found');
      const mistyped = `${third.startsWith('A') ? 'C' : 'A'}${third.slice(1)}`;
      expect(await gateway.code(REDEEM, { code: mistyped }, user)).toBe('invalid_request');
      for (const body of [
        { id: 99 },
        { id: batch.id, number: 4 },
        { id: batch.id, number: 2 ** 40 },
      ]) {
        expect(await gateway.code('/admin/vouchers/revoke/', body, admin)).toBe('not_found');
      }
    });

    test('can be guessed only ten times, then once a minute', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const user = await gateway.addUser();
      const { vouchers } = await made(gateway, admin);
      const codes = await Promise.all(
        Array.from({ length: 20 }, () => gateway.code(REDEEM, { code: UNKNOWN }, user)),
      );
      expect(codes.filter((code) => code === 'not_found')).toHaveLength(10);
      expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(10);
      const body = { code: vouchers[0]?.code };
      expect(await gateway.code(REDEEM, body, user)).toBe('too_many_attempts');
      await gateway.data(REDEEM, body, await gateway.addUser());
      const rows = await gateway.core.db.query('SELECT * FROM vouchers');
      expect(JSON.stringify(rows)).not.toContain(vouchers[0]?.code.replaceAll('-', '') ?? '');
    });

    test('are listed with what is outstanding, and bounded', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      await made(gateway, admin, { count: 500 });
      await made(gateway, admin, { count: 2, amount: '0.000001' });
      const list = await gateway.data<{ batches: Batch[]; outstanding_amount: number }>(
        '/admin/vouchers/',
        {},
        admin,
      );
      expect(list.batches.map(({ count }) => count)).toEqual([2, 500]);
      expect(list).toMatchObject({ outstanding: 502, outstanding_amount: 50_000.000002 });
      const bad = [
        { count: 0 },
        { count: 10_001 },
        { amount: 0 },
        { amount: 8_000_000_000 },
        { note: 'a\u0000b' },
        { note: 'x'.repeat(201) },
        { expires_at: 1 },
      ];
      for (const body of bad) {
        const code = await gateway.code(CREATE, { count: 1, amount: 1, ...body }, admin);
        expect({ body, code }).toEqual({ body, code: 'invalid_request' });
      }
      for (const path of [CREATE, '/admin/vouchers/']) {
        expect(await gateway.code(path, {}, await gateway.addUser())).toBe('forbidden');
      }
    });
  });
}
