/** A refund after an incident returns what one model was charged for in a period, each charge once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openYear, type Send } from '../support/generated-year.ts';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';
import { expectBooksHold } from '../support/world.ts';

const PATH = '/admin/refunds/';
const REASON = 'the price was wrong';
const MICRO = 1_000_000;
const HOUR = 3_600;

interface Refunded {
  messages: number;
  users: number;
  charge: number;
  refunded: number;
  amount: number;
  complete: boolean;
}

for (const dialect of dialects) {
  describe(`${dialect}: a refund after an incident`, () => {
    const stack = new AsyncDisposableStack();
    /** Seconds. */
    let now = Math.floor(Date.now() / 1_000);
    const clock = { now: () => now * 1_000, monotonic: () => performance.now() };
    let gateway: Gateway;
    let admin: TestUser;
    beforeAll(async () => {
      gateway = stack.use(await openGateway(dialect, { clock }));
      admin = await gateway.addUser({ login: 'root', isAdmin: true, credit: 10 });
    });
    afterAll(async () => {
      await expectBooksHold(gateway);
      await stack.disposeAsync();
    });

    /** @returns the message's id, and its charge in micro-rubles */
    async function send(user: TestUser, ai = 1) {
      const body = { room_id: await gateway.room(user.token), ai, message: 'hello' };
      const sent = await gateway.data<Record<'id' | 'cost_request' | 'cost_response', number>>(
        '/ai/send/',
        body,
        user,
      );
      return { id: sent.id, charge: Math.round((sent.cost_request + sent.cost_response) * MICRO) };
    }
    const balanceOf = async ({ userId }: TestUser) =>
      (await gateway.core.ledger.account(userId)).balance;
    /** An incident of an hour, with a message of each user before, during and after it. */
    async function incident(...users: TestUser[]) {
      for (const user of users) await send(user);
      now += HOUR;
      const from = now;
      const charges: number[] = [];
      for (const user of users) charges.push((await send(user)).charge);
      now += HOUR;
      const range = { model_id: 1, from, to: now, reason: REASON };
      for (const user of users) await send(user);
      return { range, charges };
    }
    const refund = (body: object, caller = admin) => gateway.data<Refunded>(PATH, body, caller);
    const nothing = { messages: 0, users: 0, charge: 0, refunded: 0, amount: 0, complete: true };

    test('names its sum first, returns a share, then the rest, and nothing twice', async () => {
      const [anna, boris] = [
        await gateway.addUser({ credit: 10 }),
        await gateway.addUser({ credit: 10 }),
      ];
      const { range, charges } = await incident(anna, boris);
      const [ofAnna = 0, ofBoris = 0] = charges;
      expect((await send(anna, 2)).charge).toBeGreaterThan(0);
      const balances = async () => [await balanceOf(anna), await balanceOf(boris)];
      const [annas = 0, boriss = 0] = await balances();
      const charge = (ofAnna + ofBoris) / MICRO;
      const all = { messages: 2, users: 2, charge, refunded: 0, amount: charge, complete: true };
      expect(await refund({ ...range, dry_run: true })).toMatchObject(all);
      expect(await balances()).toEqual([annas, boriss]);

      const [halfOfAnna, halfOfBoris] = [Math.ceil(ofAnna / 2), Math.ceil(ofBoris / 2)];
      const share = { ...range, percent: 50 };
      const half = (halfOfAnna + halfOfBoris) / MICRO;
      expect(await refund(share)).toMatchObject({ ...all, amount: half });
      expect(await refund(share)).toMatchObject(nothing);
      expect(await balances()).toEqual([annas + halfOfAnna, boriss + halfOfBoris]);
      expect(await refund({ ...range, login: anna.login })).toMatchObject({
        messages: 1,
        refunded: halfOfAnna / MICRO,
        amount: (ofAnna - halfOfAnna) / MICRO,
      });
      expect(await refund(range)).toMatchObject({ messages: 1, users: 1 });
      expect(await refund(range)).toMatchObject(nothing);
      expect(await balances()).toEqual([annas + ofAnna, boriss + ofBoris]);
    });

    test('counts the earlier refund of a single message, and is in the transactions and the audit', async () => {
      const user = await gateway.addUser({ credit: 10 });
      const { range, charges } = await incident(user);
      const [charge = 0] = charges;
      const one = { login: user.login, message_id: 2, amount: '0.000005', reason: 'a complaint' };
      await gateway.data<object>('/admin/users/refund/', one, admin);
      const before = await balanceOf(user);
      const rest = (charge - 5) / MICRO;
      expect(await refund(range)).toMatchObject({ refunded: 0.000005, amount: rest });
      const { transactions } = await gateway.data<{ transactions: object[] }>(
        '/account/transactions/',
        {},
        user,
      );
      const entry = { kind: 'refund', amount: rest, message_id: 2 };
      expect(transactions[0]).toMatchObject({ ...entry, reason: REASON, made_by: 'root' });
      const { entries } = await gateway.data<{ entries: object[] }>(
        '/admin/audit/',
        { user: user.login, action: 'messages_refunded' },
        admin,
      );
      expect(entries).toMatchObject([
        {
          subject: '1',
          before: { balance: before / MICRO },
          after: { balance: before / MICRO + rest, messages: 1 },
        },
      ]);
    });

    test('is paid once, however many simultaneous requests reach two nodes', async () => {
      await using second = await openGateway(dialect, { clock, database: gateway.database });
      const user = await gateway.addUser({ credit: 10 });
      const { range, charges } = await incident(user);
      const [charge = 0] = charges;
      const before = await balanceOf(user);
      const given = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? gateway : second).data<Refunded>(PATH, range, admin),
        ),
      );
      expect(given.filter(({ messages }) => messages === 1)).toHaveLength(1);
      expect(await balanceOf(user)).toBe(before + charge);
    });

    test('leaves out admins if an operator requests it, and is not for users', async () => {
      const user = await gateway.addUser({ credit: 10 });
      const operator = await gateway.addUser({ login: 'olga', isOperator: true });
      const { range } = await incident(user, admin);
      expect(await gateway.code(PATH, range, user)).toBe('forbidden');
      expect(await refund({ ...range, dry_run: true })).toMatchObject({ users: 2 });
      expect(await refund(range, operator)).toMatchObject({ users: 1 });
      expect(await refund(range)).toMatchObject({ users: 1 });
    });

    test('is not complete while the period has not ended, or a message of it is running', async () => {
      const user = await gateway.addUser({ credit: 10 });
      const { range } = await incident(user);
      const dry = { ...range, login: user.login, dry_run: true };
      expect(await refund({ ...dry, to: now + 1 })).toMatchObject({ running: 0, complete: false });
      const setState = (state: string) =>
        gateway.core.db.transaction((tx) =>
          tx.query('UPDATE messages SET state = $1 WHERE user_id = $2 AND id = 2', [
            state,
            user.userId,
          ]),
        );
      await setState('pending');
      expect(await refund(dry)).toMatchObject({ running: 1, complete: false });
      await setState('done');
      expect(await refund(dry)).toMatchObject({ running: 0, complete: true });
    });

    test('leaves out a user whose balance would be too high, and names the user', async () => {
      const [rich, poor] = [
        await gateway.addUser({ credit: 10 }),
        await gateway.addUser({ credit: 10 }),
      ];
      const { range } = await incident(rich, poor);
      const left = 8_000_000_000 * MICRO - (await balanceOf(rich));
      await gateway.core.ledger.credit(rich.userId, left, { reason: 'won', madeBy: 'test' });
      const before = await balanceOf(poor);
      const { body } = await gateway.post(PATH, range, admin);
      expect(body.error).toMatchObject({ code: 'invalid_request' });
      expect(body.error?.message).toContain(`except ${rich.login}, whose balance would exceed`);
      expect(await balanceOf(poor)).toBeGreaterThan(before);
      expect(await refund({ ...range, login: poor.login })).toMatchObject(nothing);
    });

    test('needs a model, a time, a share and a reason', async () => {
      const good = { model_id: 1, from: now - HOUR, to: now, reason: REASON };
      const wrong = async (body: object) =>
        (await gateway.post(PATH, { ...good, ...body }, admin)).body.error;
      expect(await wrong({ model_id: 9_999 })).toMatchObject({ code: 'not_found' });
      expect(await wrong({ login: 'nobody-of-that-name' })).toMatchObject({ code: 'not_found' });
      expect((await wrong({ to: good.from }))?.details?.[0]?.path).toBe('to');
      expect((await wrong({ reason: ' ' }))?.details?.[0]?.path).toBe('reason');
      for (const percent of [0, -1, 100.01, 12.345, 1e300]) {
        expect((await wrong({ percent }))?.details?.[0]?.path).toBe('percent');
      }
    });
  });

  test(`${dialect}: a refund in several calls equals what was charged`, async () => {
    await using year = await openYear(dialect, { messages: 2_500, users: 1, models: 2 });
    const days = [...new Set(year.sends.map(({ day }) => day))];
    const [first = '', end = ''] = [days[100], days[200]];
    const modelId = year.sends[0]?.modelId ?? 0;
    const chargeOf = ({ cost, isFailed }: Send) => (isFailed ? 0 : cost.request + cost.response);
    const charges = year.sends
      .filter((one) => one.day >= first && one.day < end && one.modelId === modelId)
      .map(chargeOf)
      .filter((charge) => charge > 0);
    const third = charges.map((charge) => Math.ceil((charge * 3_333) / 10_000));
    const sumOf = (amounts: number[]) => amounts.reduce((sum, one) => sum + one, 0);
    const { audit, bulkRefunds } = year.gateway.core;
    const time = { from: Date.parse(first), to: Date.parse(end) };
    const query = { modelId, ...time, userId: undefined, back: 3_333, ofAdmins: true, limit: 150 };
    const note = { reason: REASON, madeBy: 'test' };
    const given = { calls: 0, messages: 0, charge: 0, amount: 0 };
    for (let isComplete = false; !isComplete; given.calls++) {
      const some = await bulkRefunds.give(
        query,
        note,
        audit.act('messages_refunded', { origin: 'server' }),
      );
      expect(some.messages).toBeLessThanOrEqual(query.limit);
      given.messages += some.messages;
      given.charge += some.charge;
      given.amount += some.amount;
      ({ isComplete } = some);
    }
    expect(given).toEqual({
      calls: Math.ceil(charges.length / query.limit),
      messages: charges.length,
      charge: sumOf(charges),
      amount: sumOf(third),
    });
    expect(charges.length).toBeGreaterThan(query.limit);
    expect(await bulkRefunds.plan(query)).toMatchObject({ messages: 0, isComplete: true });
    await expectBooksHold(year.gateway);
  });
}
