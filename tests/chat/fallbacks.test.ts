/** Which fallbacks are called when a model fails, with which request, and which failure is reported in the end. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import type { CallFault } from '../support/scripted-provider.ts';
import { closed, expectBooksHold, sharedWorld } from '../support/world.ts';

const REQUESTED = 201;
const UNREACHABLE = 207;
const LONG = 208;

/** 50 tokens: one per byte. */
const dense = 'a1b2c3d4e5'.repeat(5);
/** About 20 tokens, 220 bytes. */
const russian = 'слово '.repeat(20);

/** A requested model, and fallbacks that each lack one of its features. */
const models = [
  {
    id: REQUESTED,
    model: 'requested',
    max_output_tokens: 900,
    fallbacks: [202, 203, 204, 205, 206],
  },
  { id: 202, model: 'short', max_input_tokens: 30 },
  { id: 203, model: 'cold', max_temperature: 0.5 },
  { id: 204, model: 'forgetful', is_chat_mode_allowed: 0 },
  { id: 205, model: 'terse', max_output_tokens: 100 },
  { id: 206, model: 'last', provider: 'other' },
  { id: LONG, model: 'long', fallbacks: [209, 206] },
  { id: 209, model: 'short-chat', max_input_tokens: 30 },
  { id: UNREACHABLE, provider: 'gone', fallbacks: [205, 206] },
];

for (const dialect of dialects) {
  describe(`${dialect}: fallbacks`, () => {
    const world = sharedWorld(dialect, {
      models,
      providers: ({ baseUrl }) => ({
        other: { kind: 'openai', base_url: baseUrl },
        gone: { kind: 'openai', base_url: 'http://127.0.0.1:1/v1' },
      }),
    });

    /** The answers of models; models that are not named succeed. */
    async function script(faults: Record<string, CallFault | { status: number; body: object }>) {
      const { provider } = world();
      const before = provider.calls.length;
      await provider.script(({ body }) => {
        const reply = faults[String(body['model'])];
        return typeof reply === 'object'
          ? { ...reply, body: { ...reply.body } }
          : (reply ?? 'good');
      });
      return () => provider.calls.slice(before).map(({ body }) => String(body['model']));
    }

    test('are skipped if they cannot take the request unchanged', async () => {
      const alice = await world().user();
      await script({});
      await alice.send({ ai: REQUESTED });
      const cases: [body: object, served: string][] = [
        [{ message: 'Hi' }, 'short'],
        [{ message: dense }, 'cold'],
        [{ message: dense, temperature: 0.5 }, 'cold'],
        [{ message: dense, temperature: 0.6 }, 'forgetful'],
        [{ message: dense, temperature: 0.6, chat_depth: 1 }, 'terse'],
      ];
      for (const [body, served] of cases) {
        const called = await script({ requested: '500' });
        expect((await alice.send({ ai: REQUESTED, ...body })).ai.model).toBe(served);
        expect(called()).toEqual(['requested', served]);
      }
      await expectBooksHold(world().gateway);
    });

    test('take what they would take if they had been requested', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const served = async (body: object) => {
        await script({ requested: '500', long: '500' });
        const answer = await alice.send(body);
        await script({});
        return answer.ai.model;
      };
      expect((await alice.send({ ai: 202, message: russian })).ai.model).toBe('short');
      expect(await served({ ai: REQUESTED, message: russian })).toBe('short');
      // The whole context counts.
      const twice = { system_prompt: russian, message: russian };
      expect(await served({ ai: REQUESTED, ...twice })).toBe('cold');
      expect(await served({ ai: LONG, ...twice, system_prompt: '' })).toBe('short-chat');
      expect(await served({ ai: LONG, message: russian, chat_depth: 1 })).toBe('last');

      await script({ requested: '500' });
      const post = async (path: string, body: object) => {
        const headers = {
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
        };
        const init = {
          method: 'POST',
          headers,
          body: JSON.stringify({ model: `${REQUESTED}`, ...body }),
        };
        return ((await (await gateway.fetch(path, init)).json()) as { model: string }).model;
      };
      const chat = (content: unknown) =>
        post('/v1/chat/completions', { messages: [{ role: 'user', content }] });
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
      expect(await chat(russian)).toBe('scripted/short');
      expect(await chat(dense)).toBe('scripted/cold');
      expect(await chat([{ type: 'text', text: 'Hi' }, image])).toBe('scripted/short');
      // Embeddings are read one by one.
      const embed = (input: string[]) => post('/v1/embeddings', { input });
      expect(await embed([russian, russian, 'Hi'])).toBe('scripted/short');
      expect(await embed(['Hi', dense])).toBe('scripted/cold');
      await expectBooksHold(gateway);
    });

    test('get their own output limit as the cap, and warn if more was requested', async () => {
      const alice = await world().user();
      const request = { ai: UNREACHABLE };
      await script({});
      const capped = () => world().provider.calls.at(-1)?.body['max_tokens'];
      // The default is the maximum of the model that answers.
      expect((await alice.send(request)).warnings).toEqual([]);
      expect(capped()).toBe(100);
      expect((await alice.send({ ...request, max_output_tokens: 100 })).warnings).toEqual([]);

      const warnings = [expect.stringMatching(/^max_output_tokens was lowered to 100,/)];
      expect((await alice.send({ ...request, max_output_tokens: 101 })).warnings).toEqual(warnings);
      expect(capped()).toBe(100);
      const events = await allEvents(await alice.stream({ ...request, max_output_tokens: 101 }));
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { warnings } });
      expect(capped()).toBe(100);
      await expectBooksHold(world().gateway);
    });

    test('with a smaller output limit are stopped like others when the client leaves', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['half ', 'and half'], pauseAfterFirst: true });
      const events = eventsOf(await alice.stream({ ai: UNREACHABLE, max_output_tokens: 101 }));
      await events.next();
      await events.next();
      await events.return(undefined);
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      expect(await closed(alice)).toMatchObject({ state: 'stopped', response: 'half ' });
      await expectBooksHold(world().gateway);
    });

    test('are not called after a refusal for content', async () => {
      const alice = await world().user();
      const error = { message: 'no', code: 'content_policy_violation' };
      const called = await script({ requested: { status: 400, body: { error } } });
      expect(await alice.code({ ai: REQUESTED })).toBe('content_refused');
      expect(called()).toEqual(['requested']);
      expect(await alice.charges()).toEqual([]);
    });

    test("all fail: the error is the requested model's, and says whether any had begun", async () => {
      const alice = await world().user();
      const request = { ai: REQUESTED, message: dense, temperature: 0.6, chat_depth: 1 };
      const busy = { status: 429, body: {}, headers: { 'retry-after': '30' } };
      const called = await script({ requested: busy, terse: '500', last: busy });
      expect(await alice.code(request)).toBe('provider_unavailable');
      expect(called()).toEqual(['requested', 'terse', 'last']);
      await script({ requested: '500', terse: busy, last: busy });
      expect(await alice.code(request)).toBe('provider_error');

      const unreachable = { ...request, ai: UNREACHABLE };
      await script({ terse: busy, last: busy });
      const never = await alice.trySend(unreachable);
      expect([never.body.error?.code, never.headers.get('x-should-retry')]).toEqual([
        'provider_unavailable',
        null,
      ]);
      // The model in between may have done its work, so an SDK must not repeat the request automatically.
      await script({ terse: '500', last: busy });
      const begun = await alice.trySend(unreachable);
      expect([begun.body.error?.code, begun.headers.get('x-should-retry')]).toEqual([
        'provider_error',
        'false',
      ]);
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      await expectBooksHold(world().gateway);
    });
  });
}
