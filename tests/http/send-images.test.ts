/** `images` of /ai/send/: pictures that a model sees with a message. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import {
  micro,
  openWorld,
  sharedWorld,
  TEXT_MODEL,
  type Chatter,
  type ModelLine,
} from '../support/world.ts';

const BLIND = 301;
const DRAWS = 302;
const models: ModelLine[] = [
  { id: TEXT_MODEL, is_image_input_allowed: 1 },
  { id: BLIND, is_image_input_allowed: 0 },
  { id: DRAWS, type: 'IMAGE' },
];
/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const picture = `data:image/png;base64,${PIXEL}`;
const bytes = Buffer.from(PIXEL, 'base64');
const address = 'https://example.com/gate.png';

interface History {
  data: { request: string; images: string[]; state: string }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: images of a message`, () => {
    const world = sharedWorld(dialect, { models });
    const body = (alice: Chatter, more: object) => ({
      room_id: alice.room,
      ai: TEXT_MODEL,
      message: 'What is it?',
      images: [picture],
      ...more,
    });
    const raw = ({ token }: Chatter, path: string, content: object) =>
      world().gateway.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(content),
      });
    const send = (alice: Chatter, more: object = {}) => raw(alice, '/ai/send/', body(alice, more));
    const history = (alice: Chatter) =>
      world().gateway.data<History>(
        '/ai/history/',
        { room_id: alice.room, include_failed: true },
        alice,
      );
    const bytesStored = async ({ userId }: Chatter) => {
      const [row] = await world().gateway.core.db.query<{ stored: number }>(
        'SELECT stored_bytes AS stored FROM accounts WHERE user_id = $1',
        [userId],
      );
      return row?.stored;
    };
    const get = (url: string) => world().gateway.fetch(new URL(url).pathname);

    for (const stream of [false, true]) {
      test(`reach the model, are stored, and are deleted with the room${stream ? ', streamed' : ''}`, async () => {
        const { gateway, provider, user } = world();
        const alice = await user();
        await provider.script({ text: 'a gate' });
        const answer = await send(alice, { images: [picture, address], stream });
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain('a gate');
        expect(provider.calls.at(-1)?.body['messages']).toEqual([
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is it?' },
              { type: 'image_url', image_url: { url: picture } },
              { type: 'image_url', image_url: { url: address } },
            ],
          },
        ]);
        const [item] = (await history(alice)).data;
        expect(item?.images).toHaveLength(2);
        expect(item?.images[1]).toBe(address);
        const url = item?.images[0] ?? '';
        const shown = await get(url);
        expect(shown.headers.get('content-type')).toBe('image/png');
        expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes);
        expect(await bytesStored(alice)).toBe(bytes.length + 'What is it?a gate'.length);
        const exported = await raw(alice, '/account/export/', {});
        expect(await exported.text()).toContain(url.slice(url.lastIndexOf('/')));
        await send(alice, { images: null, message: 'And now?', chat_depth: 1 });
        expect(provider.calls.at(-1)?.body['messages']).toEqual([
          { role: 'user', content: 'What is it?\n[image]\n[image]' },
          { role: 'assistant', content: 'a gate' },
          { role: 'user', content: 'And now?' },
        ]);
        await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
        expect((await get(url)).status).toBe(404);
        expect(await bytesStored(alice)).toBe(0);
      });
    }

    test('of a failed send are not kept', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('400');
      expect((await send(alice)).status).toBeGreaterThanOrEqual(400);
      const [item] = (await history(alice)).data;
      expect(item).toMatchObject({ state: 'failed', images: [] });
      expect(await bytesStored(alice)).toBe('What is it?'.length);
      const left =
        'SELECT id FROM image_writes WHERE user_id = $1 UNION SELECT id FROM images WHERE user_id = $1';
      expect(await gateway.core.db.query(left, [alice.userId])).toEqual([]);
    });

    test('beyond the limit of stored bytes are refused', async () => {
      await using own = await openWorld(dialect, { models, env: { ZASTAVA_USER_STORED_MIB: '1' } });
      const alice = await own.user();
      const almost = 'UPDATE accounts SET stored_bytes = $1';
      const left = 1024 * 1024 - bytes.length;
      await own.gateway.core.db.transaction((tx) => tx.query(almost, [left]));
      const refused = await own.gateway.post('/ai/send/', body(alice, {}), alice);
      expect(refused.body.error?.message).toContain('ZASTAVA_USER_STORED_MIB');
      const { status } = await own.gateway.post('/ai/send/', body(alice, { images: null }), alice);
      expect(status).toBe(200);
    });

    test('hold the whole input of the model, and count in the estimate', async () => {
      const alice = await world().user();
      const estimate = (more: object) =>
        world().gateway.data<{
          cost_likely: number;
          input_tokens_max: number;
          ai: { max_input_tokens: number };
        }>('/ai/estimate/', body(alice, more), alice);
      const [seen, blind] = [await estimate({}), await estimate({ images: null })];
      expect(seen.input_tokens_max).toBe(seen.ai.max_input_tokens);
      expect(blind.input_tokens_max).toBeLessThan(seen.input_tokens_max);
      expect(micro(seen.cost_likely)).toBeGreaterThan(micro(blind.cost_likely));
    });

    const refused: [string, object, string][] = [
      ['a model that takes none', { ai: BLIND }, 'images'],
      ['a model that draws', { ai: DRAWS }, 'images'],
      ['a type that can not be shown', { images: ['data:image/svg+xml;base64,AAAA'] }, 'images.0'],
      ['an address without TLS', { images: ['http://example.com/a.png'] }, 'images.0'],
      ['what is not base64', { images: [picture, 'data:image/png;base64,?'] }, 'images.1'],
      ['an image without bytes', { images: ['data:image/png;base64,'] }, 'images.0'],
      ['more than 10', { images: Array(11).fill(address) }, 'images'],
    ];
    for (const [what, more, path] of refused) {
      test(`are refused by name: ${what}`, async () => {
        const alice = await world().user();
        for (const operation of ['/ai/send/', '/ai/estimate/']) {
          const answer = await raw(alice, operation, body(alice, more));
          expect(answer.status).toBe(422);
          expect(await answer.json()).toMatchObject({ error: { details: [{ path }] } });
        }
        expect((await history(alice)).data).toEqual([]);
      });
    }
  });
}
