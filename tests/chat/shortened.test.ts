/** `truncation: auto` of /v1/responses: the oldest turns of a conversation that is too long are omitted. */
import { expect, test } from 'bun:test';
import { sharedWorld, type Chatter } from '../support/world.ts';

const SMALL = 104;
const world = sharedWorld('sqlite', {
  models: [
    { id: 101, fallbacks: [SMALL] },
    { id: SMALL, model: 'small', max_input_tokens: 100, cost_input_tokens_rub: 10_000 },
  ],
});

async function respond({ token }: Chatter, body: object) {
  const response = await world().gateway.fetch('/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'small', max_output_tokens: 10, ...body }),
  });
  const answer = (await response.json()) as {
    error: { code: string } | null;
    warnings?: string[];
  };
  return { ...answer, status: response.status };
}
const sent = () => {
  const messages = world().provider.calls.at(-1)?.body['messages'];
  return (messages as { role: string; content: string }[]).map(
    ({ role, content }) => `${role}: ${content}`,
  );
};

const long = 'word '.repeat(120);
const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' };
const result = { type: 'function_call_output', call_id: 'c1', output: long };
const input = [
  { role: 'system', content: 'Be brief' },
  { role: 'user', content: 'one' },
  call,
  result,
  { role: 'assistant', content: 'first' },
  { role: 'user', content: 'two' },
  { role: 'assistant', content: 'second' },
  { role: 'user', content: 'three' },
];

test('a conversation that is too long loses its oldest turns whole, and says so', async () => {
  const alice = await world().user();
  const { status, warnings } = await respond(alice, { input, truncation: 'auto' });
  expect(status).toBe(200);
  expect(sent()).toEqual(['system: Be brief', 'user: two', 'assistant: second', 'user: three']);
  expect(warnings).toEqual([
    'the conversation is too long for this model: its 4 oldest messages were not sent',
  ]);
});

test('one that fits is sent unchanged', async () => {
  const alice = await world().user();
  const { warnings } = await respond(alice, { input: input.slice(5), truncation: 'auto' });
  expect([sent().length, warnings]).toEqual([3, undefined]);
});

test('without `auto`, or with a last turn that does not fit, it is refused', async () => {
  const alice = await world().user();
  const refused = { status: 400, error: { code: 'context_length_exceeded' } };
  expect(await respond(alice, { input })).toMatchObject(refused);
  const last = [...input, { role: 'user', content: long.repeat(2) }];
  expect(await respond(alice, { input: last, truncation: 'auto' })).toMatchObject(refused);
});

test('only what is sent is held for', async () => {
  // Enough for the whole input of the model (1 ₽) and its output, but not for the conversation as the client sent it.
  const poor = await world().user({ credit: 1.1 });
  expect(await respond(poor, { input, truncation: 'auto' })).toMatchObject({ status: 200 });
});
