/** The addresses of images when no public URL is set. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';

const SANDBOX_IMAGE = 2;

/** The addresses of one image in every answer that contains them. */
async function addresses({ gateway }: World, alice: Chatter, host: string): Promise<string[]> {
  const headers = {
    host,
    'content-type': 'application/json',
    authorization: `Bearer ${alice.token}`,
  };
  const post = async (path: string, body: object) => {
    const answer = await gateway.fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const send = { room_id: alice.room, ai: SANDBOX_IMAGE, message: 'a gate' };
  const texts = [
    await post('/ai/send/', send),
    await post('/ai/send/', { ...send, stream: true }),
    await post('/ai/history/', { room_id: alice.room }),
    await post('/v1/images/generations', { model: 'sandbox/sandbox-image', prompt: 'a gate' }),
  ];
  const found = texts.map((text) => /[a-z]+:\/\/[^"]*(?=\/images\/)/.exec(text)?.[0] ?? 'none');
  return [...new Set(found)];
}

for (const dialect of dialects) {
  describe(`${dialect}: the address of an image`, () => {
    test('is at the host that the caller connected to', async () => {
      await using world = await openWorld(dialect);
      const alice = await world.user();
      for (const host of ['gate.lan:9000', '192.0.2.7', '[2001:db8::1]:8080']) {
        expect(await addresses(world, alice, host)).toEqual([`http://${host}`]);
      }
    });

    test('is where the gateway listens if the request names no valid host', async () => {
      await using world = await openWorld(dialect);
      const alice = await world.user();
      for (const host of ['a/b', 'user@gate.lan', 'gate.lan:x', 'gate"lan', '-']) {
        expect(await addresses(world, alice, host)).toEqual(['http://127.0.0.1:8080']);
      }
    });

    test('is at the public URL if one is set, whatever host the request names', async () => {
      const env = { ZASTAVA_PUBLIC_URL: 'https://gate.example' };
      await using world = await openWorld(dialect, { env });
      const alice = await world.user();
      expect(await addresses(world, alice, 'gate.lan')).toEqual(['https://gate.example']);
    });
  });
}
