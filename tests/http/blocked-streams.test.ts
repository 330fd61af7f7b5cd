/** Streams of a user who was blocked or erased, by any process, end within 5 seconds. */
import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { eventsOf } from '../support/event-stream.ts';
import { expectBooksHold, type HistoryItem, lastClosed, sharedWorld } from '../support/world.ts';

/** Streams are checked every 2 s: a check may have begun before the block. */
const CHECKS_MAX = 2;

for (const dialect of dialects) {
  describe(`${dialect}: a stream that is open`, () => {
    const world = sharedWorld(dialect);
    // An answer shows that the model has no hidden reasoning, so its left streams are stopped.
    beforeAll(async () => void (await (await world().user()).send()));

    test('ends when another process blocks its user, who pays for what was delivered', async () => {
      const { gateway, provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      await provider.script({ deltas: ['first ', 'second'], pauseAfterFirst: true });
      const held = provider.held(2);
      const streams = [eventsOf(await alice.stream()), eventsOf(await bob.stream())] as const;
      await held;
      for (const events of streams) {
        expect((await events.next()).value?.event).toBe('start');
        expect((await events.next()).value?.data).toEqual({ text: 'first ' });
      }
      const block = 'UPDATE users SET is_blocked = 1, token_epoch = token_epoch + 1 WHERE id = $1';
      await gateway.core.db.transaction((tx) => tx.query(block, [alice.userId]));
      using checking = spyOn(gateway.core.users, 'endedAmong');
      const rest = await Array.fromAsync(streams[0]);
      expect(checking.mock.calls.length).toBeLessThanOrEqual(CHECKS_MAX);
      expect(rest.map(({ event }) => event)).toEqual(['error']);
      expect(rest[0]?.data).toMatchObject({ code: 'user_blocked' });
      await gateway.core.users.setBlocked(alice.userId, false);
      const token = await gateway.login(alice.login);
      const query = { room_id: alice.room, include_failed: true };
      const item = await lastClosed(
        async () =>
          (await gateway.data<{ data: HistoryItem[] }>('/ai/history/', query, { token })).data,
      );
      expect(item).toMatchObject({ state: 'stopped', response: 'first ' });
      provider.release();
      expect((await Array.fromAsync(streams[1])).at(-1)?.event).toBe('done');
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('of a compatible interface ends with an error of its kind when its user is erased', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const { token } = await user({ isAdmin: true });
      await provider.script({ deltas: ['first ', 'second'], pauseAfterFirst: true });
      const held = provider.held(1);
      const response = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: JSON.stringify({
          model: '101',
          messages: [{ role: 'user', content: 'Hi' }],
          stream: true,
        }),
      });
      await held;
      const { login } = alice;
      await gateway.data<object>('/admin/users/erase/', { login }, { token });
      using checking = spyOn(gateway.core.users, 'endedAmong');
      const text = await response.text();
      expect(checking.mock.calls.length).toBeLessThanOrEqual(CHECKS_MAX);
      expect(text).toContain('first ');
      expect(text).toContain('token_revoked');
      expect(text).not.toContain('[DONE]');
      provider.release();
      await provider.script('good');
      await expectBooksHold(gateway);
    });
  });
}
