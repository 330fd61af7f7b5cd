/** A model calls a function that it was not offered: the native answer and the history agree. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { expectBooksHold, sharedWorld } from '../support/world.ts';

const call = { id: 'call_1', name: 'look', arguments: '{"at":"it"}' };

for (const dialect of dialects) {
  describe(`${dialect}: an answer that only calls a function`, () => {
    const world = sharedWorld(dialect);

    test('is the same text in the result, at the end of a stream and in the history', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ toolCalls: [call] });
      const sent = await alice.send({});
      expect(JSON.parse(sent.response)).toEqual([call]);
      const events = await allEvents(await alice.stream({}));
      expect(events.at(-1)?.data).toMatchObject({ response: sent.response });
      const items = await alice.history();
      expect(items.map(({ response }) => response)).toEqual([sent.response, sent.response]);
      await expectBooksHold(gateway);
    });
  });
}
