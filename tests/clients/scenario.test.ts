/** Everyday use, by each client library, against a gateway on a real port. */
import { describe, expect, test } from 'bun:test';
import { failure } from '../support/failure.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { expectBooksHold, micro } from '../support/world.ts';
import { clientWorld } from './caller.ts';
import { question, readAll, weatherTool, type Turn } from './client.ts';
import { kinds } from './kinds.ts';

const image = `data:image/png;base64,${tinyPng.toString('base64')}`;
const twoCalls = [
  { id: 'call_a', name: 'weather', arguments: '{"city":"Мурманск"}' },
  { id: 'call_b', name: 'weather', arguments: '{"city":"Ufa"}' },
];
const readCalls = twoCalls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) }));

const world = clientWorld();

for (const { name, make, exceptionFor, statusOf } of kinds) {
  describe(name, () => {
    test('sends, and gets usage and cost as the ledger has them', async () => {
      const { provider, caller } = world();
      const alice = await caller();
      await provider.script({
        text: 'Привет 😀',
        usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
      });
      const turns: Turn[] = [
        { role: 'system', text: 'Be brief' },
        { role: 'user', text: 'Hi' },
      ];
      const reply = await make(alice.dial).send({ turns, temperature: 0.5 });
      await provider.script('good');
      expect(reply).toMatchObject({ text: 'Привет 😀', promptTokens: 11, completionTokens: 7 });
      expect(provider.calls.at(-1)?.body).toMatchObject({
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'Hi' },
        ],
        model: 'scripted-text',
        temperature: 0.5,
      });
      const item = await alice.settled();
      expect(item).toMatchObject({
        state: 'done',
        system_prompt: 'Be brief',
        request: 'Hi',
        response: 'Привет 😀',
        usage_prompt_tokens: '11',
        usage_completion_tokens: '7',
        usage_source: 'provider',
      });
      const [charge] = await alice.charges();
      expect(charge).toBe(micro(item.cost_request) + micro(item.cost_response));
      expect(charge).toBeGreaterThan(0);
      if (reply.cost !== undefined) expect(micro(reply.cost)).toBe(charge ?? 0);
    });

    test('streams: each piece arrives as soon as the provider sends it', async () => {
      const { provider, caller } = world();
      const alice = await caller();
      await provider.script({ deltas: ['При', 'вет ', '😀'], pauseAfterFirst: true });
      const stream = make(alice.dial).stream(question('Hi'));
      // The provider is still waiting to send the rest.
      expect((await stream.next()).value).toBe('При');
      provider.release();
      const { pieces, reply } = await readAll(stream);
      await provider.script('good');
      expect(pieces.join('')).toBe('вет 😀');
      expect(reply.text).toBe('Привет 😀');
      const item = await alice.settled();
      expect(item).toMatchObject({ state: 'done', response: 'Привет 😀' });
      expect([reply.promptTokens, reply.completionTokens].map(String)).toEqual([
        item.usage_prompt_tokens,
        item.usage_completion_tokens,
      ]);
      const [charge] = await alice.charges();
      expect(charge).toBe(micro(item.cost_request) + micro(item.cost_response));
      if (reply.cost !== undefined) expect(micro(reply.cost)).toBe(charge ?? 0);
    });

    test('calls tools, plain and streamed, and sends their results back', async () => {
      const { provider, caller } = world();
      const alice = await caller();
      const client = make(alice.dial);
      await provider.script({ toolCalls: twoCalls });
      const request = { ...question('How is the weather?'), tool: weatherTool };
      const plain = await client.send(request);
      expect(plain).toMatchObject({ text: '', calls: readCalls });
      const { pieces, reply } = await readAll(client.stream(request));
      expect([pieces, reply.calls]).toEqual([[], readCalls]);
      expect((await alice.settled()).response).toContain('Мурманск');
      expect(provider.calls.at(-1)?.body['tools']).toMatchObject([
        { type: 'function', function: { name: 'weather', parameters: weatherTool.parameters } },
      ]);
      await provider.script({ text: 'Cold' });
      const results: Turn[] = plain.calls.map((call) => ({
        role: 'tool',
        callId: call.id,
        name: call.name,
        text: `cold for ${call.id}`,
      }));
      const turns: Turn[] = [
        ...request.turns,
        { role: 'assistant', calls: plain.calls },
        ...results,
      ];
      expect((await client.send({ ...request, turns })).text).toBe('Cold');
      await provider.script('good');
      expect(provider.calls.at(-1)?.body['messages']).toMatchObject([
        { role: 'user' },
        {
          role: 'assistant',
          tool_calls: twoCalls.map(({ id, name: called, arguments: args }) => ({
            id,
            type: 'function',
            function: { name: called, arguments: args },
          })),
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'cold for call_a' },
        { role: 'tool', tool_call_id: 'call_b', content: 'cold for call_b' },
      ]);
      expect(await alice.charges()).toHaveLength(3);
    });

    test('sends images and asks for JSON', async () => {
      const { provider, caller } = world();
      const alice = await caller();
      const client = make(alice.dial);
      await client.send({ turns: [{ role: 'user', text: 'What is it?', image }] });
      expect(provider.calls.at(-1)?.body['messages']).toMatchObject([
        {
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: image } },
          ],
        },
      ]);
      expect((await alice.settled()).request).toBe('What is it?\n[image]');
      await provider.script({ text: '{"city":"Ufa"}' });
      const schema = { ...weatherTool.parameters, additionalProperties: false };
      expect((await client.send({ ...question('Where?'), schema })).text).toBe('{"city":"Ufa"}');
      await provider.script('good');
      expect(provider.calls.at(-1)?.body['response_format']).toMatchObject({
        type: 'json_schema',
        json_schema: { schema, strict: true },
      });
    });

    test('throws its own exception for each kind of failure, plain and streamed', async () => {
      const { provider, caller } = world();
      const [alice, poor] = [await caller(), await caller({ credit: 0 })];
      const good = question('Hi');
      const deep = { ...weatherTool, parameters: nested(80) };
      const failures = [
        { status: 413, dial: alice.dial, request: { ...good, tool: deep } },
        { status: 401, dial: { ...alice.dial, key: 'zk-nobody' }, request: good },
        { status: 402, dial: poor.dial, request: good },
        { status: 404, dial: alice.dial, request: { ...good, model: 'no-such-model' } },
        { status: 400, dial: alice.dial, request: { ...good, temperature: 9 } },
        { status: 502, dial: alice.dial, request: good, fault: '500' },
        { status: 503, dial: alice.dial, request: good, fault: '429' },
        { status: 504, dial: alice.dial, request: good, fault: '408' },
      ] as const;
      for (const { status, dial, request, ...more } of failures) {
        await provider.script('fault' in more ? more.fault : 'good');
        const client = make(dial);
        for (const attempt of [() => client.send(request), () => readAll(client.stream(request))]) {
          const error = await failure(attempt());
          expect([status, statusOf(error)]).toEqual([status, status]);
          expect(error).toBeInstanceOf(exceptionFor(status));
        }
      }
      await provider.script('good');
      expect([await alice.charges(), await poor.charges()]).toEqual([[], []]);
    });

    test('leaves a stream: the provider stops, the delivered part is kept and charged', async () => {
      const { gateway, provider, caller } = world();
      const alice = await caller();
      await provider.script({ deltas: ['Half of an ', 'answer'], pauseAfterFirst: true });
      const leaving = new AbortController();
      const stream = make(alice.dial).stream({ ...question('Hi'), signal: leaving.signal });
      expect((await stream.next()).value).toBe('Half of an ');
      leaving.abort();
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      // Clients differ in whether they throw an error when the caller stops the call.
      await readAll(stream).catch(() => undefined);
      await provider.script('good');
      const item = await alice.settled();
      expect(item).toMatchObject({
        state: 'stopped',
        finish_reason: 'stopped',
        response: 'Half of an ',
        usage_source: 'estimated',
      });
      expect(await alice.charges()).toEqual([micro(item.cost_request) + micro(item.cost_response)]);
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('leaves before the first word: the provider stops, and no answer is charged', async () => {
      const { provider, caller } = world();
      const alice = await caller();
      await provider.script('hold');
      const leaving = new AbortController();
      const whole = readAll(
        make(alice.dial).stream({ ...question('Hi'), signal: leaving.signal }),
      ).catch(() => undefined);
      await provider.held(1);
      leaving.abort();
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      await provider.script('good');
      await whole;
      expect(await alice.settled()).toMatchObject({ response: '', cost_response: 0 });
      expect((await alice.funds()).held).toBe(0);
    });

    test('is recorded in the room that it names', async () => {
      const { gateway, caller } = world();
      const alice = await caller();
      const headers = { 'X-Room-Id': alice.room };
      await make({ ...alice.dial, headers }).send(question('Into my room'));
      await make(alice.dial).send(question('Anywhere'));
      expect((await alice.history()).map(({ request }) => request)).toEqual(['Into my room']);
      expect((await alice.apiHistory()).map(({ request }) => request)).toEqual(['Anywhere']);
      // The permanent room is recreated after it was deleted.
      const standing = { room_id: await gateway.core.rooms.apiRoom(alice.userId) };
      await gateway.data('/ai/room/delete/', standing, { token: alice.token });
      await make(alice.dial).send(question('Again'));
      expect((await alice.apiHistory()).map(({ request }) => request)).toEqual(['Again']);
      const nowhere = make({ ...alice.dial, headers: { 'X-Room-Id': 'x'.repeat(32) } });
      expect(statusOf(await failure(nowhere.send(question('Hi'))))).toBe(404);
    });
  });
}

/** A schema nested deeper than any body may be. */
function nested(depth: number): typeof weatherTool.parameters {
  let schema: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema };
  return { ...weatherTool.parameters, properties: { deep: schema } };
}
