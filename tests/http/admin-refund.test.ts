/** A refund gives back at most what a message was charged, once for each key, on any node. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formatRubles } from '../../src/lib/money.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';
import { expectBooksHold } from '../support/world.ts';

const PATH = '/admin/users/refund/';
const REASON = 'the answer was cut';
const MICRO = 1_000_000;

interface Sent {
  id: number;
  balance: number;
  cost_request: number;
  cost_response: number;
}

for (const dialect of dialects) {
  describe(`${dialect}: a refund`, () => {
    const stack = new AsyncDisposableStack();
    let gateway: Gateway;
    let admin: TestUser;
    beforeAll(async () => {
      gateway = stack.use(await openGateway(dialect));
      admin = await gateway.addUser({ login: 'root', isAdmin: true });
    });
    afterAll(async () => {
      await expectBooksHold(gateway);
      await stack.disposeAsync();
    });

    /**
     * A user with one charged message.
     * @returns its charge in micro-rubles
     */
    async function charged() {
      const user = await gateway.addUser({ credit: 10 });
      const body = { room_id: await gateway.room(user.token), ai: 1, message: 'hello' };
      const sent = await gateway.data<Sent>('/ai/send/', body, user);
      const charge = Math.round((sent.cost_request + sent.cost_response) * MICRO);
      expect(charge).toBeGreaterThan(10);
      return { ...user, charge, body: { login: user.login, message_id: sent.id, reason: REASON } };
    }
    const rubles = (micro: number) => micro / MICRO;
    const balanceOf = async ({ userId }: TestUser) =>
      (await gateway.core.ledger.account(userId)).balance;
    const problem = async (body: object) => {
      const { status, body: answer } = await gateway.post(PATH, body, admin);
      return [status, answer.error?.details?.[0]?.path];
    };

    test('returns a part, then the rest, and no more', async () => {
      const user = await charged();
      const { charge, body } = user;
      const part = { ...body, amount: '0.000003' };
      expect(await gateway.data<object>(PATH, part, admin)).toEqual({
        login: user.login,
        message_id: body.message_id,
        amount: 0.000003,
        charge: rubles(charge),
        refunded: 0.000003,
        balance: rubles(10 * MICRO - charge + 3),
      });
      const { login, message_id } = body;
      expect<object>(
        await gateway.data('/admin/attempts/', { login, message_id }, admin),
      ).toMatchObject({ charge: rubles(charge), refunded: 0.000003 });
      const tooMuch = { ...body, amount: rubles(charge - 2) };
      expect(await problem(tooMuch)).toEqual([422, 'amount']);
      const rest = await gateway.data<object>(PATH, body, admin);
      expect(rest).toMatchObject({ amount: rubles(charge - 3), refunded: rubles(charge) });
      const again = await gateway.post(PATH, body, admin);
      expect(again.body.error?.details).toEqual([
        { path: 'amount', message: `the charge of ${formatRubles(charge)} was given back already` },
      ]);
      expect(await balanceOf(user)).toBe(10 * MICRO);
    });

    test('needs a message that was charged, an amount above 0 and a reason', async () => {
      const { body } = await charged();
      const { login: other } = await gateway.addUser();
      expect(await gateway.code(PATH, { ...body, login: other }, admin)).toBe('not_found');
      expect(await gateway.code(PATH, { ...body, message_id: 99 }, admin)).toBe('not_found');
      for (const amount of [0, '0', -1, '-0.1', 1e9, 'all', '1e-3']) {
        expect(await problem({ ...body, amount })).toEqual([422, 'amount']);
      }
      expect(await problem({ ...body, reason: ' ' })).toEqual([422, 'reason']);
    });

    test('is in the transactions, the report, the audit and the export', async () => {
      const user = await charged();
      const { charge, body } = user;
      const report = async () =>
        (
          await gateway.data<{ accounts: Record<string, number> }>(
            '/admin/report/',
            { login: user.login },
            admin,
          )
        ).accounts;
      const before = await report();
      await gateway.data<object>(PATH, body, admin);
      const entry = { kind: 'refund', amount: rubles(charge), message_id: body.message_id };
      const shown = { ...entry, reason: REASON, made_by: 'root', room_id: expect.any(String) };
      const { transactions } = await gateway.data<{ transactions: object[] }>(
        '/account/transactions/',
        {},
        user,
      );
      expect(transactions[0]).toMatchObject(shown);
      const after = await report();
      expect([before['refunds'], after['refunds']]).toEqual([0, rubles(charge)]);
      expect([after['charges'], after['closing_balance']]).toEqual([rubles(charge), 10]);
      const { entries } = await gateway.data<{ entries: object[] }>(
        '/admin/audit/',
        { user: user.login, action: 'user_refunded' },
        admin,
      );
      expect(entries).toMatchObject([
        {
          login: user.login,
          subject: String(body.message_id),
          before: { refunded: 0, balance: rubles(10 * MICRO - charge) },
          after: { refunded: rubles(charge), balance: 10 },
        },
      ]);
      const exported = await gateway.fetch('/admin/users/export/', {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ login: user.login }),
      });
      expect(await exported.text()).toContain('"kind":"refund"');
    });

    test('is never more than the charge, however many simultaneous requests reach two nodes', async () => {
      await using other = await openGateway(dialect, { database: gateway.database });
      const user = await charged();
      const { charge, body } = user;
      const third = Math.floor(charge / 3);
      const request = { ...body, amount: rubles(third) };
      const atOnce = (headers: (at: number) => Record<string, string>) =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            (at % 2 ? gateway : other).post(PATH, request, {
              token: admin.token,
              headers: headers(at),
            }),
          ),
        );
      const once = await atOnce(() => ({ 'idempotency-key': 'complaint-7' }));
      expect(new Set(once.map(({ body: { data } }) => JSON.stringify(data))).size).toBe(1);
      const replayed = once.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
      expect(replayed).toHaveLength(19);
      expect(await balanceOf(user)).toBe(10 * MICRO - charge + third);
      const each = await atOnce((at) => ({ 'idempotency-key': `complaint-8-${at}` }));
      expect(each.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(await balanceOf(user)).toBe(10 * MICRO - charge + 3 * third);
    });
  });
}
