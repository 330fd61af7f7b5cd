import { describe, expect, test } from 'bun:test';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { explainError } from '../../src/providers/anthropic/errors.ts';
import { AnthropicProvider } from '../../src/providers/anthropic/provider.ts';
import { messagesBody } from '../../src/providers/anthropic/request.ts';
import type { Message, TextRequest } from '../../src/providers/index.ts';
import { plain } from './conformance/requests.ts';
import { WireServer } from './conformance/wire-server.ts';
import { canaryKey, providerErrorOf, running } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers/anthropic`;
const fixture = (name: string): Promise<unknown> => Bun.file(`${folder}/${name}.json`).json();
const streamed = await Bun.file(`${folder}/stream.sse`).text();
const sent = { seed: null, warnings: [] };
const turnsOf = (messages: readonly Message[]) =>
  messagesBody({ ...plain, messages }, false).body.messages;

test('a top_p is not sent beside a temperature to models that refuse both, and never as 1', () => {
  const converted = (model: string, topP: number) =>
    messagesBody({ ...plain, model, temperature: 0.5, topP }, false);
  const strict = { ...plain, model: 'claude-haiku-4-5', topP: 0.9, refuseUnsupported: true };
  expect(converted('claude-haiku-4-5', 1)).toMatchObject({
    body: { top_p: undefined },
    warnings: [],
  });
  expect(converted('claude-3-haiku-20240307', 0.9).body).toMatchObject({ top_p: 0.9 });
  const { body, warnings } = converted('claude-haiku-4-5', 0.9);
  expect(body).toMatchObject({ temperature: 0.5, top_p: undefined });
  expect(warnings).toEqual(['This model takes either a temperature or top_p. It was left out.']);
  expect(messagesBody(strict, false).body).toMatchObject({ top_p: 0.9 });
  expect(() => messagesBody({ ...strict, temperature: 0.5 }, false)).toThrow('either');
});

test.each([
  ['claude-opus-4-5', true],
  ['claude-opus-4-8', true],
  ['claude-sonnet-4-6', true],
  ['claude-haiku-5-5', true],
  ['claude-opus-4-1-20250805', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-sonnet-4-5', false],
  ['claude-haiku-4-5', false],
])('%s has efforts: %p', (model, hasEfforts) => {
  const { body, warnings } = messagesBody({ ...plain, model, reasoningEffort: 'low' }, false);
  expect('output_config' in body).toBe(hasEfforts);
  expect(warnings.length).toBe(hasEfforts ? 0 : 1);
});

describe('a schema', () => {
  const bodyOf = (schema: Record<string, unknown>) => {
    const responseFormat = { type: 'json_schema' as const, name: 'n', schema };
    return messagesBody({ ...plain, responseFormat, refuseUnsupported: true }, false);
  };
  const formatOf = (schema: Record<string, unknown>) =>
    (bodyOf(schema).body as { output_config?: object }).output_config;

  test('keeps what the API enforces; the rest goes into the prompt, with a warning to the caller', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      description: 'A person.',
      minProperties: 1,
      properties: {
        name: { type: 'string', minLength: 1, pattern: '^A' },
        born: { type: 'string', format: 'date' },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 },
        pet: { oneOf: [{ $ref: '#/$defs/pet' }, { type: 'null' }] },
      },
      required: ['name'],
      $defs: { pet: { type: ['object', 'null'], additionalProperties: { type: 'string' } } },
    };
    const { warnings } = bodyOf(schema);
    expect(warnings).toEqual([expect.stringContaining('minLength, pattern, maxItems')]);
    expect(formatOf(schema)).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          description: 'A person.\n{minProperties: 1}',
          properties: {
            name: { type: 'string', description: '{minLength: 1, pattern: "^A"}' },
            born: { type: 'string', format: 'date' },
            tags: {
              type: 'array',
              items: { enum: ['a', 'b'] },
              minItems: 1,
              description: '{maxItems: 3}',
            },
            pet: { anyOf: [{ $ref: '#/$defs/pet' }, { type: 'null' }] },
          },
          required: ['name'],
          $defs: {
            pet: {
              type: ['object', 'null'],
              properties: {},
              additionalProperties: false,
              description: '{additionalProperties: {"type":"string"}}',
            },
          },
          additionalProperties: false,
        },
      },
    });
  });

  test('that the API takes is sent unchanged', () => {
    const schema = {
      type: 'object',
      properties: { properties: { type: 'string' } },
      additionalProperties: false,
    };
    expect(formatOf(schema)).toEqual({ format: { type: 'json_schema', schema } });
    expect(bodyOf(schema).warnings).toEqual([]);
  });
});

test('a long answer is streamed from the API even if the caller wants it whole', async () => {
  await using server = await WireServer.start();
  server.script(() => ({ body: streamed }));
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const provider = new AnthropicProvider({ baseUrl, apiKey: canaryKey });
  const answer = await provider.generateText({ ...plain, maxOutputTokens: 21_334 }, running());
  expect(answer).toMatchObject({ text: 'Привет, мир 🌍', finishReason: 'stop' });
  expect(JSON.parse(server.calls[0]?.text ?? '')).toMatchObject({ stream: true });
});

test('a tool is not forced on models that refuse that', () => {
  const choiceOf = (model: string, toolChoice: TextRequest['toolChoice']) => () =>
    messagesBody({ ...plain, model, tools: [{ name: 'f' }], toolChoice }, false).body.tool_choice;
  const error = expect.objectContaining({ field: 'toolChoice' }) as Error;
  for (const model of ['claude-opus-5-5', 'claude-sonnet-5-5-20260901', 'claude-fable-5-1']) {
    expect(choiceOf(model, 'required')).toThrow(error);
    expect(choiceOf(model, { name: 'f' })).toThrow(error);
    expect(choiceOf(model, 'none')()).toEqual({ type: 'none' });
    expect(choiceOf(model, 'auto')()).toBeUndefined();
  }
  for (const model of ['claude-haiku-4-5', 'claude-opus-5', 'claude-fable-5']) {
    expect(choiceOf(model, 'required')()).toEqual({ type: 'any' });
  }
});

describe('a conversation', () => {
  test("puts the results of parallel calls into one turn, with the user's next message", () => {
    const call = (id: string) => ({ id, name: 'f', arguments: '' });
    const turns = turnsOf([
      { role: 'assistant', content: 'Wait.', toolCalls: [call('1'), call('2')] },
      { role: 'tool', toolCallId: '1', content: 'one' },
      { role: 'tool', toolCallId: '2', content: 'two' },
      { role: 'user', content: 'Well?' },
    ]);
    expect(turns).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait.' },
          { type: 'tool_use', id: '1', name: 'f', input: {} },
          { type: 'tool_use', id: '2', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: 'one' },
          { type: 'tool_result', tool_use_id: '2', content: 'two' },
          { type: 'text', text: 'Well?' },
        ],
      },
    ]);
  });

  test('has ids of calls as the API accepts them, whichever provider made them', () => {
    const id = 'functions.f:0';
    const turns = turnsOf([
      { role: 'assistant', content: null, toolCalls: [{ id, name: 'f', arguments: '' }] },
      { role: 'tool', toolCallId: id, content: 'one' },
    ]);
    const [called, returned] = turns.map(({ content }) => content[0]);
    expect(called?.['id']).toMatch(/^[\w-]+$/);
    expect(returned?.['tool_use_id']).toBe(called?.['id']);
  });

  test('omits blank texts of a message, which the API refuses too', () => {
    const call = { id: '1', name: 'f', arguments: '{}' };
    const part = (text: string) => ({ type: 'text' as const, text });
    const messages: Message[] = [
      { role: 'system', content: ' \n' },
      { role: 'user', content: [part('a'), part(' '), part('b')] },
      { role: 'assistant', content: '\n\n', toolCalls: [call] },
      { role: 'tool', toolCallId: '1', content: '' },
      { role: 'user', content: ' ' },
    ];
    const { body } = messagesBody({ ...plain, messages }, false);
    expect(body.system).toBeUndefined();
    expect(body.messages).toEqual([
      { role: 'user', content: [part('a'), part(' '), part('b')] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: '' }] },
    ]);
  });

  test('omits empty parts, which the API refuses', () => {
    const turns = turnsOf([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [{ type: 'text', text: '' }] },
      { role: 'user', content: 'b' },
    ]);
    expect(turns).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });

  test.each([
    [[{ role: 'system', content: 'Be brief' }]],
    [[{ role: 'user', content: '' }]],
  ] as const)('of %j, which the API refuses, is refused by name before it is sent', (messages) => {
    const refusal = expect.objectContaining({ fault: 'unsupported', field: 'messages' });
    expect(() => messagesBody({ ...plain, messages }, false)).toThrow(refusal);
  });

  test('joins its system messages, wherever they are', () => {
    const system = (content: string): Message => ({ role: 'system', content });
    const messages = [system('a'), ...plain.messages, system(''), system('b')];
    const { body } = messagesBody({ ...plain, messages }, false);
    expect(body.system).toBe('a\n\nb');
    expect(body.messages).toHaveLength(1);
  });

  test.each(['http://example.com/a.png', 'data:text/plain;base64,AAAA', 'data:image/png,AAAA', ''])(
    'refuses the image %j by name',
    async (url) => {
      const messages: Message[] = [{ role: 'user', content: [{ type: 'image', url }] }];
      const error = await providerErrorOf(() => turnsOf(messages));
      expect(error).toMatchObject({ fault: 'unsupported', field: 'messages' });
    },
  );

  test.each(['{"x":', '[1]', '7'])('refuses the arguments %s by name', async (text) => {
    const toolCalls = [{ id: '1', name: 'f', arguments: text }];
    const messages: Message[] = [{ role: 'assistant', content: null, toolCalls }];
    const error = await providerErrorOf(() => turnsOf(messages));
    expect(error).toMatchObject({ fault: 'unsupported', field: 'messages' });
  });
});

test('a tool must follow its schema if requested', () => {
  const tools = [{ name: 'f', parameters: { type: 'object', properties: {} }, strict: true }];
  const { body } = messagesBody({ ...plain, tools, parallelToolCalls: true }, false);
  expect(body.tools).toEqual([
    {
      name: 'f',
      input_schema: { type: 'object', properties: {}, additionalProperties: false },
      strict: true,
    },
  ]);
});

test.each([
  [{ content: 7 }],
  [{ content: ['x'] }],
  [{ content: [{ type: 'text', text: 7 }] }],
  [{ content: [{ type: 'tool_use', id: 'a', input: {} }] }],
  [{ content: [{ type: 'tool_use', id: 'a', name: 'f', input: [] }] }],
])('the answer %j is malformed', async (body) => {
  const error = await providerErrorOf(() => new MessageReader(sent, undefined).whole(body));
  expect(error).toMatchObject({ fault: 'failed', accepted: true });
});

const read = (event: unknown) =>
  new MessageReader(sent, undefined).read({ event: '', data: JSON.stringify(event) });

test('an error is recognised by its type, a refusal by its text', async () => {
  const overloaded = await fixture('error-overloaded');
  const error = await providerErrorOf(() => read(overloaded));
  expect(error).toMatchObject({ fault: 'busy', status: 529 });
  const filtered = await fixture('error-content-filter');
  expect(explainError(filtered).contentRefused).toBe(true);
  const refusal = await providerErrorOf(() => read(filtered));
  expect(refusal.fault).toBe('content_refused');
  expect(explainError([])).toEqual({ reported: {}, contentRefused: false });
});
