/** The error for a refused body names each wrong field once, with its problem. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

const room_id = 'a'.repeat(32);
const send = { room_id, ai: 101, message: 'Hi' };
const amounts = 'must be between -8 000 000 000 and 8 000 000 000 rubles';
const rubles = 'must be rubles with at most six decimals, as a number or a decimal text';
const id = 'must be an id: a whole number, or its digits as a string';

const cases: [path: string, body: object, problems: Record<string, string>][] = [
  ['/ai/send/', {}, { room_id: 'is required', ai: 'is required', message: 'is required' }],
  ['/ai/send/', { ...send, ai: 1.5 }, { ai: 'must be a whole number' }],
  ['/ai/send/', { ...send, ai: '1' }, { ai: 'must be a number' }],
  ['/ai/send/', { ...send, stream: 1 }, { stream: 'must be true or false' }],
  ['/ai/send/', { ...send, message: null }, { message: 'must be a string' }],
  ['/ai/send/', { ...send, message: '' }, { message: 'must not be empty' }],
  ['/ai/send/', { ...send, chat_depth: -1 }, { chat_depth: 'must be at least 0' }],
  ['/ai/send/', { ...send, room_id: ['a'] }, { room_id: 'must be a string' }],
  ['/ai/send/', { ...send, room_id: { length: 5 } }, { room_id: 'must be a string' }],
  ['/ai/send/', { ...send, room_id: 'a' }, { room_id: 'must be exactly 32 characters' }],
  ['/ai/history/', {}, { room_id: 'is required' }],
  ['/ai/history/', { room_id, before: 1.5 }, { before: id }],
  ['/ai/history/', { room_id, before: 'x' }, { before: id }],
  ['/account/transactions/', { before: -1 }, { before: id }],
  ['/account/transactions/', { limit: 1001 }, { limit: 'must be at most 1000' }],
  ['/trust/check/', { url: 'a.ru', history: 3 }, { history: 'must be 0, 1 or 2' }],
  [
    '/account/keys/',
    { name: 'a', scope: 'x' },
    { scope: 'must be "chat" or "trust" or "credit" or "full" or "operator" or "admin"' },
  ],
  ['/account/keys/', { name: 'a', expires_at: 1 }, { expires_at: 'must be in the future' }],
  [
    '/account/keys/',
    { name: 'a', expires_at: Number.MAX_SAFE_INTEGER },
    { expires_at: 'must be at most 8640000000000, in the year 275760' },
  ],
  ['/admin/users/credit/', { login: 'a', reason: 'r' }, { amount: 'is required' }],
  ['/admin/users/credit/', { login: 'a', reason: 'r', amount: 8_000_000_001 }, { amount: amounts }],
  ['/admin/users/credit/', { login: 'a', reason: 'r', amount: '-1e99' }, { amount: amounts }],
  ['/admin/users/credit/', { login: 'a', reason: 'r', amount: 0.0000001 }, { amount: rubles }],
  ['/admin/users/credit/', { login: 'a', reason: 'r', amount: '1,5' }, { amount: rubles }],
  // An object whose conversion to a number throws.
  [
    '/admin/users/credit/',
    { login: 'a', reason: 'r', amount: { toString: 1, valueOf: 1 } },
    { amount: rubles },
  ],
  ['/admin/users/limit/', { login: 'a', limit: 8_000_000_001 }, { limit: amounts }],
  [
    '/admin/users/quota/',
    { login: 'a', models: [1, 1.5] },
    { 'models.1': 'must be a whole number' },
  ],
];

for (const dialect of dialects) {
  describe(`${dialect}: a refused body`, () => {
    const world = sharedWorld(dialect);

    for (const [path, body, problems] of cases) {
      test(`${path} ${JSON.stringify(body)}`, async () => {
        const { gateway, user } = world();
        const { status, body: answer } = await gateway.post(
          path,
          body,
          await user({ isAdmin: true }),
        );
        expect([status, answer.error?.code]).toEqual([422, 'invalid_request']);
        const details = answer.error?.details?.map(({ path: field, message }) => [field, message]);
        expect(details).toEqual(Object.entries(problems));
      });
    }

    test('null counts as an absent limit or starting point', async () => {
      const { gateway, user } = world();
      const { token } = await user({ isAdmin: true });
      const paths = ['/ai/rooms/', '/account/transactions/', '/admin/users/'];
      for (const path of paths) {
        const whole = await gateway.data<object>(path, {}, { token });
        const none = { limit: null, before: null, after: null };
        expect(await gateway.data<object>(path, none, { token })).toEqual(whole);
      }
    });

    test('a transaction id may be a number or digits', async () => {
      const { gateway, user } = world();
      const { token, userId } = await user();
      await gateway.core.ledger.credit(userId, 1, { reason: 'r', madeBy: 'm' });
      const page = (before: unknown) =>
        gateway.data<{ transactions: { id: number }[] }>(
          '/account/transactions/',
          { before },
          { token },
        );
      expect((await page(2)).transactions.map((one) => one.id)).toEqual([1]);
      expect(await page('2')).toEqual(await page(2));
    });
  });
}
