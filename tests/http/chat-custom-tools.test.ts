/** Custom tools of chat completions: for the model they are functions with one text. */
import { expect, test } from 'bun:test';
import { completionsOf, streamedChoices } from '../support/chat-completions.ts';
import { sharedWorld } from '../support/world.ts';

type Json = Record<string, unknown>;

const world = sharedWorld('sqlite');
const patch = { name: 'patch', description: 'Changes a file' };
const grammar = { syntax: 'lark', definition: 'start: "*"' };
const tools = [
  { type: 'custom', custom: { ...patch, format: { type: 'grammar', grammar } } },
  { type: 'function', function: { name: 'weather' } },
];
const TEXT = '*** Begin\n"quoted"';
const calls = [
  { id: 'a', name: 'patch', arguments: JSON.stringify({ input: TEXT }) },
  { id: 'b', name: 'weather', arguments: '{"city":"Ufa"}' },
];
const asCustom = { id: 'a', type: 'custom', custom: { name: 'patch', input: TEXT } };
const asFunction = {
  id: 'b',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Ufa"}' },
};
const messages = [{ role: 'user', content: 'Change it' }];

const { post, lastRequest } = completionsOf(world, { messages, tools });

test('reach the model as functions, and their calls are returned as custom ones', async () => {
  const alice = await world().user();
  await world().provider.script({ toolCalls: calls });
  const choice = { type: 'custom', custom: { name: 'patch' } };
  const answer = (await (await post(alice, { tool_choice: choice })).json()) as Json;
  await world().provider.script('good');
  const [custom] = lastRequest()['tools'] as { function: Json }[];
  expect(custom?.function).toMatchObject({
    name: 'patch',
    parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
  });
  expect(custom?.function['description']).toContain(grammar.definition);
  expect(lastRequest()['tool_choice']).toEqual({ type: 'function', function: { name: 'patch' } });
  expect(answer).toMatchObject({
    choices: [{ message: { tool_calls: [asCustom, asFunction] }, finish_reason: 'tool_calls' }],
  });
});

test('send a streamed call whole, between the pieces of others', async () => {
  const alice = await world().user();
  await world().provider.script({ toolCalls: calls });
  const text = await (await post(alice, { stream: true })).text();
  await world().provider.script('good');
  const pieces = streamedChoices(text).flatMap(
    ({ delta }) => ((delta as Json)['tool_calls'] ?? []) as Json[],
  );
  expect(pieces.filter(({ index }) => index === 0)).toEqual([{ index: 0, ...asCustom }]);
  const others = pieces.filter(({ index }) => index === 1);
  expect(others.map((piece) => (piece['function'] as Json)['arguments']).join('')).toBe(
    asFunction.function.arguments,
  );
});

test('are sent to the model with their results', async () => {
  const alice = await world().user();
  const history = [
    ...messages,
    { role: 'assistant', content: null, tool_calls: [asCustom, asFunction] },
    { role: 'tool', tool_call_id: 'a', content: 'done' },
    { role: 'tool', tool_call_id: 'b', content: 'warm' },
  ];
  const response = await post(alice, { messages: history });
  expect([response.status, await response.json()]).toMatchObject([200, {}]);
  const [, said] = lastRequest()['messages'] as { tool_calls: { function: Json }[] }[];
  expect(said?.tool_calls.map((call) => call.function)).toEqual(
    calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  );
});

test('with the name of a function are refused', async () => {
  const alice = await world().user();
  const twice = [...tools, { type: 'function', function: { name: 'patch' } }];
  const response = await post(alice, { tools: twice });
  const { error } = (await response.json()) as { error: Json };
  expect([response.status, error['param']]).toEqual([400, 'tools']);
});
