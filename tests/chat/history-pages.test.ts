/** A history is read in pages with bounded texts, whichever texts of a message are long. */
import { describe, expect, test } from 'bun:test';
import { runSendBatch } from '../../src/chat/commit/send-commit.ts';
import { dialects } from '../support/databases.ts';
import { holdOf, settleOf } from '../support/send-commands.ts';
import { openWorld } from '../support/world.ts';

const MESSAGES = 40;
const PAGE_BYTES = 512 * 1024;
/** Four fit into a page. */
const long = 'ж'.repeat(60_000);

for (const dialect of dialects) {
  describe(`${dialect}: pages of a history`, () => {
    test.each([
      ['system prompts', { systemPrompt: long }],
      ['requests', { request: long }],
    ])('are bounded by %s', async (_, texts) => {
      await using world = await openWorld(dialect);
      const { core } = world.gateway;
      const alice = await world.user();
      await core.db.transaction(async (tx) => {
        const holds = Array.from({ length: MESSAGES }, () => ({ ...holdOf(alice), ...texts }));
        const held = await runSendBatch(tx, holds);
        const ids = held.map((one) => (one.kind === 'held' ? one.messageId : 0));
        await runSendBatch(
          tx,
          ids.map((id) => settleOf(alice, id, {})),
        );
      });
      const query = {
        roomId: alice.room,
        includeFailed: false,
        limit: undefined,
        before: undefined,
      };
      const { pages } = await core.history.read(alice.userId, query);
      const sizes: number[] = [];
      for await (const page of pages) {
        const written = page.map((item) => item.systemPrompt + item.request);
        sizes.push(Buffer.byteLength(written.join('')));
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(PAGE_BYTES);
      expect(sizes).toHaveLength(MESSAGES / 4);
    });
  });
}
