/** The state of /v1/responses: reading, continuing and deleting a response, and who may do so. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { MODEL, responsesOf, tools, user, weatherCall, type Json } from '../support/responses.ts';
import { sharedWorld, type Chatter } from '../support/world.ts';

for (const dialect of dialects) {
  describe(`${dialect}: a stored response`, () => {
    const world = sharedWorld(dialect);

    const { send, create, created } = responsesOf(world);

    test('is read as it was answered, also one with function calls', async () => {
      const alice = await world().user();
      const answer = await created(alice, {
        input: 'Hi',
        instructions: 'Be brief',
        metadata: { a: 'b' },
      });
      expect(answer).toMatchObject({ store: true, status: 'completed' });
      expect(await send(alice, 'GET', `/${answer.id}`)).toEqual({ status: 200, body: answer });
      await world().provider.script({ toolCalls: [weatherCall] });
      const called = await created(alice, { input: 'The weather?', tools });
      await world().provider.script('good');
      expect(called.output).toMatchObject([{ type: 'function_call', call_id: 'call_a' }]);
      expect(await send(alice, 'GET', `/${called.id}`)).toEqual({ status: 200, body: called });
    });

    test('of a stream is read while it runs, and when it has ended', async () => {
      const alice = await world().user();
      await world().provider.script({ deltas: ['Hel', 'lo'], pauseAfterFirst: true });
      const stream = await world().gateway.fetch('/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: JSON.stringify({ model: MODEL, input: 'Hi', stream: true }),
      });
      const reader = stream.body?.getReader();
      let text = new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined);
      const id = /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? '';
      expect((await send(alice, 'GET', `/${id}`)).body).toMatchObject({ status: 'in_progress' });
      expect(
        (await create(alice, { input: 'And?', previous_response_id: id })).body.error,
      ).toMatchObject({
        code: 'previous_response_not_found',
      });
      world().provider.release();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += new TextDecoder().decode(part.value as Uint8Array);
      }
      await world().provider.script('good');
      const last = /data: (.*"response\.completed".*)\n/.exec(text)?.[1] ?? '{}';
      const { response } = JSON.parse(last) as { response: Json };
      expect((await send(alice, 'GET', `/${id}`)).body as Json).toEqual(response);
    });

    test('that failed says so', async () => {
      const alice = await world().user();
      await world().provider.script('500');
      await create(alice, { input: 'Hi' });
      await world().provider.script('good');
      const { userId } = alice;
      const { db, rooms } = world().gateway.core;
      const [row] = await db.query<{ id: number }>(
        'SELECT message_id AS id FROM responses WHERE user_id = $1',
        [userId],
      );
      const id = `resp_${await rooms.apiRoom(userId)}_${row?.id}`;
      expect((await send(alice, 'GET', `/${id}`)).body).toMatchObject({
        status: 'failed',
        error: { code: 'provider_error' },
        usage: null,
      });
    });

    test('is gone when it is deleted; what continues it can be read, but not continued', async () => {
      const alice = await world().user();
      const first = await created(alice, { input: 'one' });
      const second = await created(alice, { input: 'two', previous_response_id: first.id });
      const gone = { id: first.id, object: 'response', deleted: true };
      expect((await send(alice, 'DELETE', `/${first.id}`)).body as Json).toEqual(gone);
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/input_items'],
        ['DELETE', ''],
        ['POST', '/cancel'],
      ] as const) {
        expect((await send(alice, method, `/${first.id}${path}`)).status).toBe(404);
      }
      expect((await send(alice, 'GET', `/${second.id}`)).body).toMatchObject({ id: second.id });
      for (const { id } of [first, second]) {
        const { status, body } = await create(alice, { input: 'And?', previous_response_id: id });
        expect([status, body.error?.['code']]).toEqual([400, 'previous_response_not_found']);
      }
      const room = await world().gateway.core.rooms.apiRoom(alice.userId);
      expect((await alice.history({ room_id: room })).map(({ request }) => request)).toEqual([
        'one',
        'two',
      ]);
    });

    test("that was not stored, and another user's, answer like one that does not exist", async () => {
      const [alice, bob] = [await world().user(), await world().user()];
      const unstored = await created(alice, { input: 'Hi', store: false });
      expect(unstored).toMatchObject({ store: false });
      const { id: hers, output } = await created(alice, { input: 'Hi' });
      const none = `resp_${'0'.repeat(32)}_1`;
      const about = async (who: Chatter, id: string, item: unknown) => {
        const answers = [
          await send(who, 'GET', `/${id}`),
          await send(who, 'GET', `/${id}/input_items`),
          await send(who, 'DELETE', `/${id}`),
          await send(who, 'POST', `/${id}/cancel`),
          await create(who, { input: 'And?', previous_response_id: id }),
          await create(who, { input: [{ type: 'item_reference', id: item }] }),
        ];
        const text = JSON.stringify(answers);
        return text.replaceAll(id, 'ID').replaceAll(String(item), 'ITEM');
      };
      const missing = await about(bob, none, `msg_${'0'.repeat(32)}_1`);
      expect(await about(bob, hers, output[0]?.['id'])).toBe(missing);
      expect(await about(alice, unstored.id, unstored.output[0]?.['id'])).toBe(missing);
      // In a room of another user.
      expect(await about(bob, hers.replace(/_\d+$/, '_1'), output[0]?.['id'])).toBe(missing);
      expect((await send(alice, 'GET', `/${hers}`)).status).toBe(200);
    });

    test('is deleted with its room', async () => {
      const alice = await world().user();
      const { id } = await created(alice, { input: 'Hi' });
      const room_id = await world().gateway.core.rooms.apiRoom(alice.userId);
      await world().gateway.data('/ai/room/delete/', { room_id }, alice);
      expect((await send(alice, 'GET', `/${id}`)).status).toBe(404);
      const rows = await world().gateway.core.db.query(
        'SELECT message_id FROM responses WHERE user_id = $1',
        [alice.userId],
      );
      expect(rows).toEqual([]);
    });

    test('is in the export of its user, and is deleted with the user', async () => {
      const [alice, admin] = [await world().user(), await world().user({ isAdmin: true })];
      await world().provider.script({ toolCalls: [weatherCall] });
      await created(alice, { input: 'The weather?', instructions: 'Be brief', tools });
      await world().provider.script('good');
      const { gateway } = world();
      const exported = JSON.stringify(await gateway.data('/account/export/', {}, alice));
      expect(JSON.parse(exported)).toMatchObject({
        rooms: expect.arrayContaining([
          expect.objectContaining({
            messages: [
              expect.objectContaining({
                stored_response: {
                  settings: {
                    asked: expect.objectContaining({ instructions: 'Be brief' }),
                    named: {},
                  },
                  input: [{ type: 'message', role: 'user', content: 'The weather?' }],
                  output: { tool_calls: [weatherCall] },
                },
              }),
            ],
          }),
        ]),
      });
      await gateway.data('/admin/users/erase/', { login: alice.login }, admin);
      const rows = await gateway.core.db.query(
        'SELECT message_id FROM responses WHERE user_id = $1',
        [alice.userId],
      );
      expect(rows).toEqual([]);
    });

    test('a conversation that is too long to be stored is answered, but not stored', async () => {
      const alice = await world().user();
      const answer = await created(alice, {
        input: 'Hi',
        metadata: { note: 'x'.repeat(9_000_000) },
      });
      expect(answer).toMatchObject({
        store: false,
        warnings: ['the response was not stored, since its conversation is longer than 8 MiB'],
      });
      expect((await send(alice, 'GET', `/${answer.id}`)).status).toBe(404);
    });

    test('a conversation that is long, but not too long, is stored', async () => {
      const alice = await world().user();
      const input = [user('x'.repeat(5_000_000)), user('Hi')];
      const { id } = await created(alice, { input, truncation: 'auto' });
      expect((await send(alice, 'GET', `/${id}`)).status).toBe(200);
    });

    test('refuses other methods with a list of the allowed ones', async () => {
      const alice = await world().user();
      const { id } = await created(alice, { input: 'Hi' });
      const response = await world().gateway.fetch(`/v1/responses/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${alice.token}` },
      });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
    });
  });
}
