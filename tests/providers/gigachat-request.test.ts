import { describe, expect, test } from 'bun:test';
import { traitsOf } from '../../src/providers/gigachat/request.ts';
import { chatBody } from '../../src/providers/gigachat/request.ts';
import { plain } from './conformance/requests.ts';

const today = traitsOf('https://api.giga.chat/v1');

describe('a request', () => {
  test.each([
    [0, 0.001],
    [0.7, 0.7],
  ])('with the temperature %p sends %p', (temperature, sent) => {
    expect(chatBody({ ...plain, temperature }, today, false).body.temperature).toBe(sent);
  });

  const schema = { type: 'object', properties: {} };
  const bySchema = { type: 'json_schema' as const, name: 'n', description: 'd', schema };

  test('for JSON has the schema beside its type, and no name', () => {
    const responseFormat = { ...bySchema, strict: true };
    expect(chatBody({ ...plain, responseFormat }, today, false).body.response_format).toEqual({
      type: 'json_schema',
      schema,
      strict: true,
    });
  });

  test.each([
    ['high', 'high'],
    // Without the parameter, the models do not reason.
    ['none', undefined],
    ['low', 'low'],
  ])('with the effort %s sends %p', (reasoningEffort, sent) => {
    const { body, warnings } = chatBody({ ...plain, reasoningEffort }, today, false);
    expect(body.reasoning_effort).toBe(sent);
    expect(warnings).toEqual([]);
  });

  test('to the former address supports neither', () => {
    const former = traitsOf('https://gigachat.devices.sberbank.ru/api/v1');
    const request = { ...plain, responseFormat: bySchema };
    expect(() => chatBody(request, former, false)).toThrow('plain text answers');
    const { body, warnings } = chatBody({ ...plain, reasoningEffort: 'high' }, former, false);
    expect(body.reasoning_effort).toBeUndefined();
    expect(warnings).toEqual([
      'This provider does not support reasoning efforts. It was left out.',
    ]);
  });

  test('has one system message, placed first', () => {
    const system = (content: string) => ({ role: 'system' as const, content });
    const messages = [system('a'), ...plain.messages, system('b')];
    expect(chatBody({ ...plain, messages }, today, false).body.messages).toEqual([
      { role: 'system', content: 'a\n\nb' },
      { role: 'user', content: 'Hello there' },
    ]);
  });

  test('sends back the state of the call whose result it contains', () => {
    const id = '0199e210-2f13-744c-8fe5-c9a19fe27db7';
    const call = { id, name: 'f', arguments: '' };
    const messages = [
      ...plain.messages,
      { role: 'assistant' as const, content: null, toolCalls: [call] },
      { role: 'tool' as const, toolCallId: id, content: '[1]' },
    ];
    expect(chatBody({ ...plain, messages }, today, false).body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        function_call: { name: 'f', arguments: {} },
        functions_state_id: id,
      },
      { role: 'function', name: 'f', content: '{"result":"[1]"}' },
    ]);
  });

  test('does not send the state beside functions: the API refuses both', () => {
    const id = '0199e210-2f13-744c-8fe5-c9a19fe27db7';
    const call = { id, name: 'web_search', arguments: '{}' };
    const messages = [
      ...plain.messages,
      { role: 'assistant' as const, content: null, toolCalls: [call] },
      { role: 'tool' as const, toolCallId: id, content: '{}' },
    ];
    // The names of built-in functions are the provider's own.
    const tools = [{ name: 'web_search' }, { name: 'own_web_search' }];
    const { body, names } = chatBody({ ...plain, messages, tools }, today, false);
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        function_call: { name: 'own_own_web_search', arguments: {} },
      },
      { role: 'function', name: 'own_own_web_search', content: '{}' },
    ]);
    expect(body.functions).toMatchObject([
      { name: 'own_own_web_search' },
      { name: 'own_web_search' },
    ]);
    expect(names.own('own_own_web_search')).toBe('web_search');
    expect(names.own('own_web_search')).toBe('own_web_search');
    const forced = { ...plain, tools, toolChoice: { name: 'web_search' } };
    expect(chatBody(forced, today, false).body.function_call).toEqual({
      name: 'own_own_web_search',
    });
  });

  test('that forces a tool needs a message beside those of the system', () => {
    const system = { role: 'system' as const, content: 'Be brief.' };
    const request = { ...plain, tools: [{ name: 'f' }], toolChoice: 'required' as const };
    expect(() => chatBody({ ...request, messages: [system] }, today, false)).toThrow(
      'after a user message',
    );
    const both = [system, ...plain.messages];
    expect(chatBody({ ...request, messages: both }, today, false).body.function_call).toEqual({
      name: 'f',
    });
  });

  test.each([
    [
      'two calls at once',
      [
        { id: '1', name: 'f', arguments: '{}' },
        { id: '2', name: 'f', arguments: '{}' },
      ],
      '1',
    ],
    ['broken arguments', [{ id: '1', name: 'f', arguments: '{"x":' }], '1'],
    ['a result without its call', [{ id: '1', name: 'f', arguments: '{}' }], '2'],
  ])('with %s is refused by name', (_, toolCalls, toolCallId) => {
    const messages = [
      { role: 'assistant' as const, content: null, toolCalls },
      { role: 'tool' as const, toolCallId, content: '1' },
    ];
    expect(() => chatBody({ ...plain, messages }, today, false)).toThrow(/tool|arguments/);
  });

  test('can force a tool if there is only one', () => {
    const tools = [{ name: 'f' }];
    const { body } = chatBody({ ...plain, tools, toolChoice: 'required' }, today, false);
    expect(body.function_call).toEqual({ name: 'f' });
  });
});

const long = { $ref: '#/$defs/long' };

describe('a request with tools', () => {
  test('has their parameters in the part of JSON Schema that the API accepts', () => {
    const unit = { enum: ['c', 'f'], type: 'string' };
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { Unit: unit, Node: { properties: { next: { $ref: '#/$defs/Node' } } } },
      properties: {
        // The schemas that pydantic and zod write for an optional text.
        city: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }], default: null },
        day: { type: ['null', 'string'], format: 'date' },
        unit: { $ref: '#/$defs/Unit', description: 'of the scale' },
        data: { type: 'object', additionalProperties: true },
        list: { type: 'array' },
        any: {},
        mode: { anyOf: [{ const: 'a' }, { const: 'b' }], description: 'how' },
        days: { type: 'integer', enum: [1, 7], description: 'How many.' },
        node: { $ref: '#/$defs/Node' },
        both: {
          allOf: [{ properties: { a: unit } }, { properties: { b: unit }, required: ['b'] }],
        },
      },
      required: ['city'],
      anyOf: [{ required: ['unit'] }, { required: ['data'] }],
    };
    const { body } = chatBody({ ...plain, tools: [{ name: 'f', parameters }] }, today, false);
    const empty = { type: 'object', properties: {} };
    expect(body.functions).toEqual([
      {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            city: { type: 'string', default: null },
            day: { type: 'string', format: 'date' },
            unit: { ...unit, description: 'of the scale' },
            data: { ...empty, additionalProperties: true },
            list: { type: 'array', items: { type: 'string' } },
            any: { type: 'string' },
            mode: { type: 'string', enum: ['a', 'b'], description: 'how' },
            days: { type: 'integer', description: 'How many. One of: 1, 7.' },
            node: { type: 'object', properties: { next: empty } },
            both: { type: 'object', properties: { a: unit, b: unit }, required: ['b'] },
          },
          required: ['city', 'unit'],
        },
      },
    ]);
  });

  test('converts the largest possible parameters in one pass', () => {
    // Copying the earlier part for each part would block the whole server for minutes.
    const names = Array.from({ length: 60_000 }, (_, at) => `field_${at}`);
    const allOf = names.map((name) => ({ properties: { [name]: {} }, required: [name] }));
    const tools = [{ name: 'f', parameters: { allOf } }];
    const { body } = chatBody({ ...plain, tools }, today, false);
    expect(body.functions).toMatchObject([{ parameters: { required: names } }]);
  });

  test('does not change parameters that the API accepts', () => {
    const item = { type: 'object', properties: { n: { type: 'number', minimum: 0 } } };
    const properties = { list: { type: 'array', items: item, description: 'd' } };
    const parameters = { type: 'object', properties, additionalProperties: false };
    const { body } = chatBody({ ...plain, tools: [{ name: 'f', parameters }] }, today, false);
    expect(body.functions).toEqual([{ name: 'f', parameters }]);
  });

  test.each([
    [
      'unfold without end',
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => {
          const next = { $ref: `#/$defs/d${at + 1}` };
          return [`d${at}`, { properties: { a: next, b: next } }];
        }),
      ),
    ],
    [
      'say a long text again and again',
      {
        d0: { properties: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [n, long])) },
        long: { type: 'string', description: 'x'.repeat(10_000) },
      },
    ],
    [
      'are too deep',
      { d0: Array.from({ length: 1000 }).reduce<object>((inner) => ({ items: inner }), {}) },
    ],
  ])('with parameters that %s is refused by name', (_, $defs) => {
    const tools = [{ name: 'huge', parameters: { $defs, $ref: '#/$defs/d0' } }];
    expect(() => chatBody({ ...plain, tools }, today, false)).toThrow(
      /as large as those of the tool huge/,
    );
  });
});
