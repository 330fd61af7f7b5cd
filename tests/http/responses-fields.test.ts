/** /v1/responses as Open Responses specifies it: every field of every response and event, at each kind of upstream. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { z } from 'zod';
import { requestedView } from '../../src/http/openai/responses/answer.ts';
import { REPEATED_UNITS_MAX } from '../../src/http/openai/responses/repeated.ts';
import { responseResource, streamingEvent } from '../support/open-responses.ts';
import { modelAt, openUpstreams, upstreamKinds, type Upstreams } from '../support/wire-examples.ts';

type Response = z.output<typeof responseResource>;
type StreamEvent = z.output<typeof streamingEvent>;

let upstreams: Upstreams;
let token = '';
beforeAll(async () => {
  upstreams = await openUpstreams('sqlite');
  ({ token } = await upstreams.gateway.addUser({ credit: 100 }));
});
afterAll(() => upstreams[Symbol.asyncDispose]());

function post(body: object) {
  return upstreams.gateway.fetch('/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

async function created(body: object): Promise<Response> {
  const response = await post(body);
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([200, answer]);
  return responseResource.parse(answer);
}

async function streamed(body: object): Promise<StreamEvent[]> {
  const response = await post({ ...body, stream: true });
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => streamingEvent.parse(JSON.parse(line.slice('data: '.length))));
}

const tools = [
  { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } },
  { type: 'function', name: 'time' },
];
const say = (role: string, content: unknown) => ({ type: 'message', role, content });
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const conversations = {
  'a text': [say('user', 'Say hello.')],
  'instructions among the input': [say('system', 'Be a pirate.'), say('user', 'Say hello.')],
  'earlier answers with their phases': [
    { ...say('assistant', 'I should look it up.'), phase: 'commentary' },
    { ...say('assistant', 'It is four.'), phase: 'final_answer' },
    say('user', 'Repeat it.'),
  ],
  'an image': [
    say('user', [
      { type: 'input_text', text: 'What is it?' },
      { type: 'input_image', image_url: png },
    ]),
  ],
};

for (const kind of upstreamKinds) {
  const model = modelAt(kind);
  describe(`a response from an upstream of kind ${kind}`, () => {
    for (const [what, input] of Object.entries(conversations)) {
      test(`to ${what} has every field with its type`, async () => {
        const { status, output, completed_at } = await created({ model, input });
        expect([status, output.at(-1)?.type, completed_at]).toEqual([
          'completed',
          'message',
          expect.any(Number),
        ]);
      });
    }

    test('may consist of function calls', async () => {
      const { status, output } = await created({ model, input: 'The weather?', tools });
      expect(status).toBe('completed');
      expect(output.map(({ type }) => type)).toContain('function_call');
    });

    test('is sent as events in order, each with its fields', async () => {
      const events = await streamed({ model, input: 'Count.' });
      expect(events.map(({ sequence_number: number }) => number)).toEqual([...events.keys()]);
      const [first] = events;
      const last = events.at(-1);
      expect(first).toMatchObject({
        type: 'response.created',
        response: { status: 'in_progress', completed_at: null, usage: null },
      });
      expect(last).toMatchObject({
        type: 'response.completed',
        response: { status: 'completed', completed_at: expect.any(Number) },
      });
    });

    test('is sent with the events of its function calls', async () => {
      const events = await streamed({ model, input: 'The weather?', tools });
      const types = events.map(({ type }) => type);
      expect(types).toContain('response.function_call_arguments.done');
      expect(types.at(-1)).toBe('response.completed');
    });
  });
}

test('a stream that breaks after its first word ends with error and response.failed', async () => {
  upstreams.script(() => ({
    body: 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n',
    end: 'cut',
  }));
  const events = await streamed({ model: modelAt('openai'), input: 'Hi', metadata: { a: 'b' } });
  upstreams.script(undefined);
  const [error, failed] = events.slice(-2);
  expect(error).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
  expect(failed).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'provider_error' },
      completed_at: null,
      metadata: { a: 'b' },
      usage: null,
    },
  });
});

test('a response repeats the fields of the request', async () => {
  const request = {
    instructions: 'Be brief',
    max_output_tokens: 50,
    max_tool_calls: 3,
    temperature: 0.5,
    top_p: 0.75,
    presence_penalty: 0.5,
    frequency_penalty: 0.25,
    parallel_tool_calls: false,
    reasoning: { effort: 'low', summary: 'auto' },
    truncation: 'auto',
    safety_identifier: 'end-user-1',
    prompt_cache_key: 'session-1',
    metadata: { trace: 'a' },
  };
  const response = await created({
    ...request,
    model: modelAt('openai'),
    input: 'Hi',
    include: ['reasoning.encrypted_content'],
  });
  expect(response).toMatchObject(request);
  expect(JSON.parse(upstreams.calls.at(-1)?.text ?? '')).toMatchObject({
    presence_penalty: 0.5,
    frequency_penalty: 0.25,
  });
});

test('a response repeats no field that is too long to be stored three times', () => {
  const text = 'x'.repeat(REPEATED_UNITS_MAX);
  const long = `${text}x`;
  const view = (fields: object) => requestedView({ model: 'm', ...fields }, false);
  expect(view({ instructions: text, user: text })).toMatchObject({
    instructions: text,
    user: text,
  });
  const shortened = view({
    instructions: long,
    user: long,
    safety_identifier: long,
    prompt_cache_key: long,
    metadata: { a: long },
    tools: [{ type: 'function', name: 'f', description: long }],
    text: { format: { type: 'json_schema', name: 'f', schema: { [long]: {} }, description: long } },
  });
  expect(JSON.stringify(shortened).length).toBeLessThan(2_000);
  expect(shortened).toMatchObject({ instructions: null, user: null, metadata: {}, tools: [] });
});

test('a response has the schema of its answer and its tools in full', async () => {
  const schema = { type: 'object', properties: {} };
  const response = await created({
    model: modelAt('openai'),
    input: 'Hi',
    tools,
    text: { format: { type: 'json_schema', name: 'answer', schema } },
  });
  expect(response.text.format).toEqual({
    type: 'json_schema',
    name: 'answer',
    schema,
    description: null,
    strict: false,
  });
  expect(response.tools[1]).toEqual({
    type: 'function',
    name: 'time',
    description: null,
    parameters: null,
    strict: null,
  });
});
