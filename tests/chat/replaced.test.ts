/** `context_before`: a message is answered again or edited, and later contexts leave out the previous one. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { expectBooksHold, IMAGE_MODEL, sharedWorld, type Chatter } from '../support/world.ts';

for (const dialect of dialects) {
  describe(`${dialect}: a message in place of another`, () => {
    const world = sharedWorld(dialect);
    const deep = { chat_depth: 100 };
    const idsOf = async (alice: Chatter, ...messages: string[]) => {
      const ids: number[] = [];
      for (const message of messages) ids.push((await alice.send({ message, ...deep })).id);
      return ids;
    };
    /** The user's messages in the provider's last request, the new one at the end. */
    const sentTexts = () => {
      const messages = world().provider.calls.at(-1)?.body['messages'];
      return (messages as { role: string; content: string }[])
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content);
    };
    const replaced = async (alice: Chatter) =>
      (await alice.history({ include_failed: true })).map(({ replaces }) => replaces);

    test('has the messages before that one as its context, and replaces it in later contexts', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const [, two] = await idsOf(alice, 'one', 'two', 'three');
      const again = { message: 'two, edited', context_before: two, ...deep };
      expect((await alice.send(again)).context_used).toBe(1);
      expect(sentTexts()).toEqual(['one', 'two, edited']);
      await alice.send({ message: 'four', ...deep });
      expect(sentTexts()).toEqual(['one', 'two, edited', 'four']);
      // Only remaining items count.
      await alice.send({ message: 'five', chat_depth: 2 });
      expect(sentTexts()).toEqual(['two, edited', 'four', 'five']);
      expect(await replaced(alice)).toEqual(['', '', '', `${two}`, '', '']);
      expect(await alice.charges()).toHaveLength(6);
      await expectBooksHold(gateway);
    });

    test('that is replaced itself leaves no version in a context', async () => {
      const alice = await world().user();
      const [, two] = await idsOf(alice, 'one', 'two');
      const { id } = await alice.send({ message: 'second try', context_before: two, ...deep });
      await alice.send({ message: 'third try', context_before: String(id), ...deep });
      expect(sentTexts()).toEqual(['one', 'third try']);
      await alice.send({ message: 'on', ...deep });
      expect(sentTexts()).toEqual(['one', 'third try', 'on']);
      expect(await replaced(alice)).toEqual(['', '', `${two}`, `${two}`, '']);
    });

    test('replaces nothing when it fails', async () => {
      const { provider, user } = world();
      const alice = await user();
      const [one] = await idsOf(alice, 'one', 'two');
      await provider.script('400');
      const failed = { message: 'first', context_before: one, ...deep };
      expect((await alice.trySend(failed)).status).not.toBe(200);
      await provider.script('good');
      await alice.send({ message: 'three', ...deep });
      expect(sentTexts()).toEqual(['one', 'two', 'three']);
      const tried = (await alice.history({ include_failed: true }))[2]?.message_id;
      await alice.send({ message: 'better', context_before: tried, ...deep });
      expect(sentTexts()).toEqual(['better']);
      await alice.send({ message: 'on', ...deep });
      expect(sentTexts()).toEqual(['better', 'on']);
    });

    test("is found even if it is older than the messages that its room's row lists", async () => {
      const alice = await world().user();
      const names = Array.from({ length: 30 }, (_, at) => `m${at}`);
      const ids = await idsOf(alice, ...names);
      await alice.send({ message: 'new', context_before: ids[10], ...deep });
      expect(sentTexts()).toEqual([...names.slice(0, 10), 'new']);
      await alice.send({ message: 'on', ...deep });
      expect(sentTexts()).toEqual([...names.slice(0, 10), 'new', 'on']);
    });

    test('may be an image', async () => {
      const alice = await world().user();
      const { id } = await alice.send({ ai: IMAGE_MODEL });
      await alice.send({ ai: IMAGE_MODEL, context_before: id });
      expect(await replaced(alice)).toEqual(['', `${id}`]);
    });

    test('has a lower estimate, with less context', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const [one] = await idsOf(alice, 'one', 'two');
      const request = { room_id: alice.room, ai: 101, message: 'Hello', ...deep };
      const estimate = (body: object) =>
        gateway.data<{ cost_max: number; context_used: number }>('/ai/estimate/', body, alice);
      const whole = await estimate(request);
      const again = await estimate({ ...request, context_before: one });
      expect([whole.context_used, again.context_used]).toEqual([2, 0]);
      expect(again.cost_max).toBeLessThan(whole.cost_max);
    });

    test('must be in the same room as the other', async () => {
      const { gateway, user } = world();
      const [alice, bob] = [await user(), await user()];
      const { id } = await alice.send();
      const room_id = await gateway.room(alice.token);
      for (const body of [{ context_before: id, room_id }, { context_before: 999 }]) {
        const { status, body: answer } = await alice.trySend(body);
        expect([status, answer.error?.details?.[0]?.path]).toEqual([422, 'context_before']);
      }
      expect(await bob.code({ context_before: id })).toBe('invalid_request');
      expect(await alice.code({ context_before: 'x' })).toBe('invalid_request');
    });
  });
}
