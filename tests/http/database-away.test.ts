/** While the database can't be reached, requests that need it get a clear error, and work again soon after. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openWorld } from '../support/world.ts';

for (const dialect of dialects) {
  describe(`${dialect}: a database that is away`, () => {
    test('answers 503 with Retry-After in every interface, and charges nothing', async () => {
      await using world = await openWorld(dialect);
      const { gateway, provider, user } = world;
      const alice = await user();
      const { db } = gateway.core;
      const there = { query: db.query.bind(db), transaction: db.transaction.bind(db) };
      const away = () => Promise.reject(new DatabaseUnavailableError('connection refused'));
      Object.assign(db, { query: away, transaction: away });
      const body = { room_id: alice.room, ai: 101, message: 'Hi' };
      const key = { 'idempotency-key': 'once' };
      const chat = { model: 'scripted/scripted-text', messages: [{ role: 'user', content: 'Hi' }] };
      const answers = [
        await gateway.post('/ai/send/', body, { ...alice, headers: key }),
        await gateway.post('/ai/send/', { ...body, stream: true }, { ...alice, headers: key }),
        await gateway.post('/ai/history/', { room_id: alice.room }, alice),
        await gateway.post('/account/', {}, alice),
        await gateway.post('/v1/chat/completions', chat, { ...alice, headers: key }),
      ];
      expect((await gateway.fetch('/readyz')).status).toBe(503);
      Object.assign(db, there);
      for (const { status, body: answer, headers } of answers) {
        expect([status, answer.error?.code]).toEqual([503, 'overloaded']);
        expect(headers.get('retry-after')).toBe('1');
        expect(headers.get('x-should-retry')).toBeNull();
      }
      expect(provider.calls).toEqual([]);
      await alice.send();
      expect(await alice.charges()).toHaveLength(1);
    });

    test('answers 503 that clients do not repeat, if it is away longer than a settle retries', async () => {
      const clock = movableClock();
      await using world = await openWorld(dialect, { clock });
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script('hold');
      const held = provider.held(1);
      const sending = gateway.post(
        '/ai/send/',
        { room_id: alice.room, ai: 101, message: 'Hi' },
        alice,
      );
      await held;
      const { db } = gateway.core;
      const transaction = db.transaction.bind(db);
      db.transaction = () => {
        clock.forward(31_000);
        return Promise.reject(new DatabaseUnavailableError('connection refused'));
      };
      provider.release();
      const { status, body, headers } = await sending;
      db.transaction = transaction;
      expect([status, body.error?.code]).toEqual([503, 'overloaded']);
      expect([headers.get('retry-after'), headers.get('x-should-retry')]).toEqual(['1', 'false']);
      expect(body.error?.message).toContain('your history shows whether it was charged');
    });
  });
}
