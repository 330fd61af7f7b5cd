/** The database fails during a send: before a commit, and after a commit whose success is unknown. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { type Database } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { expectBooksHold, IMAGE_MODEL, micro, sharedWorld } from '../support/world.ts';

const gone = new DatabaseUnavailableError('gone');

/**
 * Lets this many transactions fail.
 * @param when before they did anything, or after their commit
 */
function breaking(db: Database, when: 'before' | 'after', times: number): Disposable {
  const transaction = db.transaction.bind(db);
  let left = times;
  db.transaction = async (work) => {
    const breaks = left-- > 0;
    if (breaks && when === 'before') throw gone;
    const result = await transaction(work);
    if (breaks) throw gone;
    return result;
  };
  return { [Symbol.dispose]: () => void (db.transaction = transaction) };
}

for (const dialect of dialects) {
  describe(`${dialect}: the database goes away`, () => {
    const world = sharedWorld(dialect);

    for (const when of ['before', 'after'] as const) {
      test(`${when} the commit of an answer: it is delivered and charged once`, async () => {
        const { gateway, provider, user } = world();
        const alice = await user();
        const key = { headers: { 'idempotency-key': when } };
        await provider.script('hold');
        const sending = alice.send({}, key);
        await provider.held(1);
        using _ = breaking(gateway.core.db, when, 2);
        await provider.script('good');
        provider.release();
        const sent = await sending;
        expect(await alice.charges()).toHaveLength(1);
        expect(await alice.funds()).toMatchObject({ held: 0, balance: micro(sent.balance) });
        expect(await alice.send({}, key)).toEqual(sent);
        await expectBooksHold(gateway);
      });
    }

    test('before an image is stored: it is stored and charged once the database is back', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const sending = alice.send({ ai: IMAGE_MODEL });
      await provider.held(1);
      using _ = breaking(gateway.core.db, 'before', 2);
      await provider.script('good');
      provider.release();
      const { response } = await sending;
      const image = await gateway.fetch(new URL(response).pathname);
      expect(Buffer.from(await image.arrayBuffer()).equals(tinyPng)).toBe(true);
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(gateway);
    });

    test('before a hold: refused as overloaded, with no call and no hold', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      using _ = breaking(gateway.core.db, 'before', 1);
      const { status, body, headers } = await alice.trySend();
      expect([status, body.error?.code]).toEqual([503, 'overloaded']);
      expect(body.error?.message).toContain('nothing was charged');
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('x-should-retry')).toBeNull();
      expect(provider.calls).toHaveLength(calls);
      expect((await alice.funds()).held).toBe(0);
      await alice.send();
    });
  });
}
