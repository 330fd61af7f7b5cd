/** A body may take 20 seconds: a credential that ends meanwhile is refused. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { PASSWORD, type Envelope, type Gateway } from '../support/gateway.ts';
import { sharedWorld, type Chatter } from '../support/world.ts';

/** A body that is requested once its sender has been recognised, and arrives after `first`. */
function bodyAfter(first: () => Promise<unknown>, body: object): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new ReadableStream(
    {
      async pull(controller) {
        await first();
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const ends: Record<string, (gateway: Gateway, alice: Chatter) => Promise<unknown>> = {
  user_blocked: ({ core }, { userId }) => core.users.setBlocked(userId, true),
  token_revoked: (gateway, { token }) => gateway.data('/auth/logout/', {}, { token }),
};

for (const dialect of dialects) {
  describe(`${dialect}: a slow body`, () => {
    const world = sharedWorld(dialect);

    /** The answer to a call whose credential ends while its body is being sent. */
    async function codeOf(path: string, code: string, body: object) {
      const { gateway, user } = world();
      const alice = await user();
      const end = ends[code] ?? expect.unreachable();
      const response = await gateway.fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
        },
        body: bodyAfter(() => end(gateway, alice), { room_id: alice.room, ...body }),
      });
      const { error } = (await response.json()) as Envelope;
      expect(await gateway.core.keys.list(alice.userId)).toEqual([]);
      expect(await alice.charges()).toEqual([]);
      return error?.code;
    }

    for (const code of Object.keys(ends)) {
      test(`is ${code} if the credential ends meanwhile, and does nothing`, async () => {
        const send = { ai: 101, message: 'Late' };
        expect(await codeOf('/ai/send/', code, send)).toBe(code);
        expect(await codeOf('/account/keys/', code, { name: 'late' })).toBe(code);
        const chat = { model: '101', messages: [{ role: 'user', content: 'Late' }] };
        expect(await codeOf('/v1/chat/completions', code, chat)).toBe(code);
      });
    }

    test('is accepted if the credential stays valid', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const response = await gateway.fetch('/account/keys/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: bodyAfter(() => gateway.login(alice.login, PASSWORD), { name: 'slow' }),
      });
      expect(response.status).toBe(200);
    });
  });
}
