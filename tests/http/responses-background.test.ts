/** Background responses: read while they run, followed, cancelled. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { MODEL, responsesOf, type Answer } from '../support/responses.ts';
import { expectBooksHold, sharedWorld, type Chatter } from '../support/world.ts';

const HALF = 'Half of the answer, which is long enough to be sent on,';
const half = { deltas: [HALF, ' and half'], pauseAfterFirst: true };

for (const dialect of dialects) {
  describe(`${dialect}: a response in the background`, () => {
    const world = sharedWorld(dialect, { models: [{ id: 101, max_input_tokens: 200_000 }] });
    const { send, create, created, ended } = responsesOf(world);
    // An answer shows that the model has no hidden reasoning, so it is stopped at once.
    beforeAll(async () => void (await (await world().user()).send()));
    const background = { input: 'Hi', background: true };
    /** Begins one, reads its stream up to the first words, and leaves. */
    const begin = async ({ token }: Chatter) => {
      const left = new AbortController();
      const stream = await world().gateway.fetch('/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ model: MODEL, ...background, stream: true }),
        signal: left.signal,
      });
      const reader = stream.body?.getReader();
      let text = '';
      while (!text.includes('Half of')) {
        text += new TextDecoder().decode((await reader?.read())?.value);
      }
      left.abort();
      const [, line = ''] = text.split('data: ');
      const { response } = JSON.parse(line.split('\n')[0] ?? '') as { response: Answer['body'] };
      expect(response).toMatchObject({ status: 'queued', background: true });
      return response;
    };
    const read = async (alice: Chatter, id: string) => (await send(alice, 'GET', `/${id}`)).body;

    test('is answered at once, and read until it is complete', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await provider.script('hold');
      const begun = await created(alice, background);
      expect(begun).toMatchObject({ status: 'queued', background: true, output: [] });
      expect(await read(alice, begun.id)).toEqual(begun);
      await provider.held(1);
      provider.release();
      await ended(alice);
      expect(await read(alice, begun.id)).toMatchObject({
        id: begun.id,
        status: 'completed',
        background: true,
        output: [{ content: [{ text: 'echo: Hi' }] }],
      });
      expect(await alice.charges()).toHaveLength(1);
      await provider.script('good');
      const next = await created(alice, { input: 'And?', previous_response_id: begun.id });
      expect(next).toMatchObject({ status: 'completed' });
      await expectBooksHold(gateway);
    });

    test('that is cancelled keeps and charges what was delivered', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      await provider.script(half);
      const begun = await begin(alice);
      const cancelled = async () => (await send(alice, 'POST', `/${begun.id}/cancel`)).body;
      let answer = await cancelled();
      while (answer['status'] === 'in_progress') answer = await cancelled();
      provider.release();
      expect(answer).toMatchObject({
        status: 'cancelled',
        incomplete_details: null,
        output: [{ content: [{ text: HALF }] }],
      });
      expect(await alice.charges()).toHaveLength(1);
      expect(await cancelled()).toEqual(answer);
      expect(await read(alice, begun.id)).toEqual(answer);
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('that is complete, or not in the background, is not cancelled', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('good');
      const done = await created(alice, background);
      await ended(alice);
      const answer = await send(alice, 'POST', `/${done.id}/cancel`);
      expect(answer.body).toMatchObject({ status: 'completed' });
      const plain = await created(alice, { input: 'Hi' });
      expect((await send(alice, 'POST', `/${plain.id}/cancel`)).status).toBe(400);
      const bob = await user();
      expect((await send(bob, 'POST', `/${done.id}/cancel`)).status).toBe(404);
    });

    test('that fails says so', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ status: 500, body: { error: { message: 'no' } } });
      const begun = await created(alice, background);
      await ended(alice);
      await provider.script('good');
      expect(await read(alice, begun.id)).toMatchObject({
        status: 'failed',
        error: { code: 'provider_error' },
      });
      expect(await alice.charges()).toEqual([]);
    });

    test('that the provider refuses says why, also when it is read later', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      const message = 'Invalid image: the data is no PNG.';
      await provider.script({ status: 400, body: { error: { message } } });
      const begun = await created(alice, background);
      await ended(alice);
      await provider.script('good');
      const { error } = await read(alice, begun.id);
      expect(error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(message),
      });
      expect(await alice.charges()).toEqual([]);
      await expectBooksHold(gateway);
    });

    test('that fails with a long request says why, stores little of it, and cannot be continued', async () => {
      const { provider, user, gateway } = world();
      const alice = await user();
      const message = 'Invalid image: the data is no PNG.';
      await provider.script({ status: 400, body: { error: { message } } });
      const long = 'word '.repeat(4_000);
      const { id } = await created(alice, {
        ...background,
        input: long,
        instructions: long,
        metadata: Object.fromEntries(
          Array.from({ length: 400 }, (_, at) => [`key ${at}`, 'short']),
        ),
        text: { format: { type: 'json_schema', name: 'a', schema: { description: long } } },
        tools: [{ type: 'function', name: 'look', description: long }],
      });
      await ended(alice);
      await provider.script('good');
      const failed = await read(alice, id);
      expect(failed).toMatchObject({
        status: 'failed',
        background: true,
        error: { code: 'invalid_request', message: expect.stringContaining(message) },
        instructions: null,
        metadata: {},
        text: { format: { type: 'json_schema', name: 'a', schema: {} } },
        tools: [],
      });
      expect((await send(alice, 'POST', `/${id}/cancel`)).body).toEqual(failed);
      expect((await send(alice, 'GET', `/${id}/input_items`)).body.data).toEqual([]);
      const next = await create(alice, { input: 'And?', previous_response_id: id });
      expect(next.body.error).toMatchObject({ code: 'previous_response_not_found' });
      const [account] = await gateway.core.db.query<{ bytes: number }>(
        'SELECT stored_bytes AS bytes FROM accounts WHERE user_id = $1',
        [alice.userId],
      );
      expect(account?.bytes).toBeLessThan(16_384);
      await expectBooksHold(gateway);
      expect((await send(alice, 'DELETE', `/${id}`)).status).toBe(200);
      expect((await send(alice, 'GET', `/${id}`)).status).toBe(404);
    });

    test('can be streamed, and continues when its client leaves', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const response = await begin(alice);
      expect(await read(alice, response.id)).toMatchObject({
        status: 'in_progress',
        background: true,
      });
      provider.release();
      await ended(alice);
      await provider.script('good');
      expect(await read(alice, response.id)).toMatchObject({
        status: 'completed',
        output: [{ content: [{ text: `${HALF} and half` }] }],
      });
    });

    test('that is too large to store, or with `store: false`, is refused', async () => {
      const alice = await world().user();
      const before = world().provider.calls.length;
      for (const more of [{ store: false }, { metadata: { note: 'x'.repeat(9_000_000) } }]) {
        const { status, body } = await create(alice, { ...background, ...more });
        expect([status, body.error?.['param']]).toEqual([400, 'background']);
      }
      expect(world().provider.calls).toHaveLength(before);
    });
  });
}
