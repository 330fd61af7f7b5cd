/** `functions` and `function_call` of chat completions, from clients that predate tools. */
import { expect, test } from 'bun:test';
import { completionsOf, streamedChoices } from '../support/chat-completions.ts';
import { sharedWorld } from '../support/world.ts';

type Json = Record<string, unknown>;

const world = sharedWorld('sqlite');
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const functions = [{ name: 'weather', description: 'The weather', parameters }];
const messages = [{ role: 'user', content: 'The weather?' }];
const calls = [
  { id: 'a', name: 'weather', arguments: '{"city":"Ufa"}' },
  { id: 'b', name: 'weather', arguments: '{"city":"Omsk"}' },
];
const first = { name: 'weather', arguments: '{"city":"Ufa"}' };

const { post, lastRequest } = completionsOf(world, { messages });

test('reach the model as tools, and its call is returned in the older form', async () => {
  const alice = await world().user();
  await world().provider.script({ toolCalls: calls.slice(0, 1) });
  const response = await post(alice, { functions, function_call: { name: 'weather' } });
  await world().provider.script('good');
  const answer = (await response.json()) as Json;
  expect(lastRequest()).toMatchObject({
    tools: [{ type: 'function', function: { name: 'weather', parameters } }],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  });
  const message = { role: 'assistant', content: null, function_call: first };
  expect(answer).toMatchObject({ choices: [{ message, finish_reason: 'function_call' }] });
  expect(answer['warnings']).toBeUndefined();
  expect(JSON.stringify(answer)).not.toContain('tool_calls');
});

test('get the first of several calls, and a warning', async () => {
  const alice = await world().user();
  await world().provider.script({ toolCalls: calls });
  const answer = (await (await post(alice, { functions })).json()) as Json;
  await world().provider.script('good');
  expect(answer).toMatchObject({
    choices: [{ message: { function_call: first } }],
    warnings: ['the model made 2 calls, of which function_call has the first: send tools'],
  });
});

test('get a streamed call piece by piece', async () => {
  const alice = await world().user();
  await world().provider.script({ toolCalls: calls });
  const text = await (await post(alice, { functions, stream: true })).text();
  await world().provider.script('good');
  const choices = streamedChoices(text);
  const pieces = choices
    .map(({ delta }) => (delta as { function_call?: Partial<typeof first> }).function_call)
    .filter((piece) => piece !== undefined);
  expect(pieces.map(({ name = '' }) => name).join('')).toBe('weather');
  expect(pieces.map((piece) => piece.arguments ?? '').join('')).toBe('{"city":"Ufa"}');
  expect(choices.at(-1)?.['finish_reason']).toBe('function_call');
  expect(text).not.toContain('tool_calls');
});

test('results belong to the call before them', async () => {
  const alice = await world().user();
  const call = { role: 'assistant', content: null, function_call: first };
  const result = (content: string) => ({ role: 'function', name: 'weather', content });
  const conversation = [...messages, call, result('rain'), call, result('sun')];
  const response = await post(alice, { functions, messages: conversation });
  expect([response.status, ((await response.json()) as Json)['warnings']]).toEqual([
    200,
    undefined,
  ]);
  const tool_calls = (id: string) => [{ id, type: 'function', function: first }];
  expect(lastRequest()['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: tool_calls('call_1') },
    { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    { role: 'assistant', tool_calls: tool_calls('call_2') },
    { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
  ]);
});

test('are refused beside tools, and a forced call without any', async () => {
  const alice = await world().user();
  const tools = [{ type: 'function', function: { name: 'time' } }];
  const refused: [string, Json][] = [
    ['functions', { functions, tools }],
    ['function_call', { function_call: { name: 'weather' } }],
  ];
  for (const [param, body] of refused) {
    const response = await post(alice, body);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
  }
});
