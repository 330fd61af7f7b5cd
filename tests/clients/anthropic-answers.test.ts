/** What Anthropic's answers contain besides text is passed on from a provider of its kind. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { WireServer } from '../providers/conformance/wire-server.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';
import { anthropic } from './kinds/anthropic.ts';

const usage = { input_tokens: 3, output_tokens: 2 };
const ended = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hello' }],
  ...ended,
  usage,
};
const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: ended, usage },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

for (const dialect of dialects) {
  describe(`${dialect}: of a provider of its kind`, () => {
    let wire: WireServer;
    let world: World;
    let origin: string;
    beforeAll(async () => {
      wire = await WireServer.start();
      wire.script(({ text }) =>
        JSON.parse(text).stream === true ? { body: events } : { body: JSON.stringify(message) },
      );
      const claude = { kind: 'anthropic', base_url: `http://127.0.0.1:${wire.port}`, api_key: 'k' };
      world = await openWorld(dialect, {
        providers: () => ({ claude }),
        models: [{ id: 201, provider: 'claude', model: 'claude', model_alias: 'claude' }],
      });
      origin = world.gateway.listen();
    });
    afterAll(async () => {
      await world[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    });

    const clientOf = ({ token }: Chatter, key: string) =>
      anthropic({ origin, key: token, headers: { 'idempotency-key': key } });
    const request = {
      model: 'claude',
      max_tokens: 9,
      stop_sequences: ['END'],
      messages: [{ role: 'user' as const, content: 'Hi' }],
    };

    test('the stop sequence is reported, plain and streamed, and again in replays', async () => {
      const alice = await world.user();
      const plain = clientOf(alice, 'plain');
      const streamed = clientOf(alice, 'streamed');
      for (let i = 0; i < 2; i++) {
        expect(await plain.messages.create(request)).toMatchObject(ended);
        expect(await streamed.messages.stream(request).finalMessage()).toMatchObject(ended);
      }
      expect(await alice.charges()).toHaveLength(2);
    });
  });
}
