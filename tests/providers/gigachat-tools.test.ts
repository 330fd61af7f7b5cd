import { describe, expect, test } from 'bun:test';
import { chatBody } from '../../src/providers/gigachat/request.ts';
import { plain } from './conformance/requests.ts';

const long = { $ref: '#/$defs/long' };

describe('a request with tools', () => {
  test('has their parameters in the part of JSON Schema that the API takes', () => {
    const unit = { enum: ['c', 'f'], type: 'string' };
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { Unit: unit, Node: { properties: { next: { $ref: '#/$defs/Node' } } } },
      properties: {
        // What pydantic and zod write for a text that may be left out.
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
    const { body } = chatBody({ ...plain, tools: [{ name: 'f', parameters }] }, false);
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

  test('leaves parameters that the API takes as they are', () => {
    const item = { type: 'object', properties: { n: { type: 'number', minimum: 0 } } };
    const properties = { list: { type: 'array', items: item, description: 'd' } };
    const parameters = { type: 'object', properties, additionalProperties: false };
    const { body } = chatBody({ ...plain, tools: [{ name: 'f', parameters }] }, false);
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
    expect(() => chatBody({ ...plain, tools }, false)).toThrow(
      /as large as those of the tool huge/,
    );
  });
});
