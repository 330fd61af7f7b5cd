/** A top-up with an Idempotency-Key: one entry and one answer, however often it is sent. */
import { describe, expect, test } from 'bun:test';
import { purgeIdempotencyKeys } from '../../src/chat/index.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type TestUser } from '../support/gateway.ts';
import { expectBooksHold } from '../support/world.ts';

const PATH = '/admin/users/credit/';
const DAY_MS = 24 * 3_600_000;

const withKey = ({ token }: TestUser, key: string) => ({
  token,
  headers: { 'idempotency-key': key },
});

for (const dialect of dialects) {
  describe(`${dialect}: a credit with an idempotency key`, () => {
    test('is booked once, however many requests arrive, at once or later, on any node', async () => {
      await using gateway = await openGateway(dialect);
      const { database, core } = gateway;
      await using other = await openGateway(dialect, { database });
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, userId } = await gateway.addUser();
      const body = { login, amount: 5, reason: 'invoice 7' };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? gateway : other).post(PATH, body, withKey(admin, 'invoice-7')),
        ),
      );
      for (const { status, body: answer } of answers) {
        expect([status, answer.data]).toEqual([200, { login, amount: 5, balance: 5 }]);
      }
      const first = answers.filter(({ headers }) => headers.get('idempotent-replayed') === null);
      expect(first).toHaveLength(1);
      // A change in between does not change the stored answer.
      await core.ledger.credit(userId, 1_000_000, { reason: 'r', madeBy: 'm' });
      const again = await gateway.post(PATH, body, withKey(admin, 'invoice-7'));
      expect(again.body.data).toEqual({ login, amount: 5, balance: 5 });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await core.ledger.account(userId)).balance).toBe(6_000_000);
      await expectBooksHold(gateway);
    });

    test('is booked again with another key, by another admin, without a key, or a day later', async () => {
      await using gateway = await openGateway(dialect);
      const [admin, second] = [
        await gateway.addUser({ isAdmin: true }),
        await gateway.addUser({ isAdmin: true }),
      ];
      const { login, userId } = await gateway.addUser();
      const body = { login, amount: 1, reason: 'r' };
      const senders = [
        withKey(admin, 'a'),
        withKey(admin, 'b'),
        withKey(second, 'a'),
        admin,
        admin,
      ];
      for (const sender of senders) await gateway.data(PATH, body, sender);
      const { core } = gateway;
      expect((await core.ledger.account(userId)).balance).toBe(5_000_000);
      await purgeIdempotencyKeys(core.db, Date.now() + DAY_MS + 60_000);
      await gateway.data(PATH, body, withKey(admin, 'a'));
      expect((await core.ledger.account(userId)).balance).toBe(6_000_000);
    });

    test('is refused with another body; a failure frees the key', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, userId } = await gateway.addUser();
      const sender = withKey(admin, 'k');
      const body = { login, amount: 1, reason: 'r' };
      expect(await gateway.code(PATH, { ...body, login: 'nobody' }, sender)).toBe('not_found');
      expect(await gateway.code(PATH, { ...body, amount: -1 }, sender)).toBe('invalid_request');
      await gateway.data(PATH, body, sender);
      const { status, body: answer } = await gateway.post(PATH, { ...body, amount: 2 }, sender);
      expect([status, answer.error?.code]).toEqual([422, 'idempotency_key_reused']);
      const { code } = (await gateway.post(PATH, body, withKey(admin, ''))).body.error ?? {};
      expect(code).toBe('invalid_request');
      expect((await gateway.core.ledger.account(userId)).balance).toBe(1_000_000);
    });

    test('stores no login: the repeated answer shows an erased user as erased', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, userId } = await gateway.addUser({ login: 'alice' });
      const body = { login, amount: 1, reason: 'r' };
      await gateway.data(PATH, body, withKey(admin, 'k'));
      await gateway.data('/admin/users/erase/', { login }, admin);
      const rows = await gateway.core.db.query('SELECT * FROM idempotency_keys');
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain('alice');
      expect(await gateway.data<object>(PATH, body, withKey(admin, 'k'))).toEqual({
        login: `erased-${userId}`,
        amount: 1,
        balance: 1,
      });
    });
  });
}
