import { describe, expect, test } from 'bun:test';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { explainError } from '../../src/providers/openai/errors.ts';
import { readImageBody } from '../../src/providers/openai/image.ts';
import { mayFetchImage } from '../../src/providers/openai/image-url.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { readUsage } from '../../src/providers/openai/usage.ts';
import { imageAnswer } from '../../src/providers/shared/images.ts';
import { noUsage } from '../../src/providers/index.ts';
import { jsonFixture, providerErrorOf, textRequest, usageOf } from './fixtures.ts';

const sent = { seed: null, warnings: [] };

async function answerOf(fixture: string) {
  return new ChunkReader(sent, undefined).whole(await jsonFixture(fixture));
}

describe('a chat completion', () => {
  test('becomes an answer', async () => {
    expect(await answerOf('text')).toEqual({
      text: 'Привет! Чем помочь? 🙂',
      providerMessageId: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
      answeringModel: 'gpt-4.1-2025-04-14',
      toolCalls: [],
      usage: usageOf({ promptTokens: 19, completionTokens: 10, totalTokens: 29 }),
      finishReason: 'stop',
      seed: null,
      warnings: [],
    });
  });

  test('counts cached and reasoning tokens once, and leaves reasoning out of the text', async () => {
    const answer = await answerOf('usage-details');
    expect(answer.text).toBe('42');
    expect(answer.usage).toMatchObject({
      promptTokens: 2006,
      completionTokens: 300,
      totalTokens: 2306,
      cachedTokens: 1920,
      cacheWriteTokens: null,
      reasoningTokens: 256,
    });
  });

  test('adds reasoning tokens that are reported beside the completion, as xAI does', () => {
    const usage = {
      prompt_tokens: 32,
      completion_tokens: 9,
      total_tokens: 135,
      prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 94 },
    };
    expect(readUsage(usage)).toEqual({
      ...noUsage,
      promptTokens: 32,
      completionTokens: 103,
      totalTokens: 135,
      cachedTokens: 6,
      cacheWriteTokens: 20,
      reasoningTokens: 94,
    });
    expect(readUsage({ ...usage, total_tokens: 41 }).completionTokens).toBe(9);
    expect(readUsage({ ...usage, total_tokens: undefined }).completionTokens).toBe(9);
  });

  test('adds cached tokens that are reported beside the prompt, as xAI does now and then', () => {
    // `vercel/ai`, packages/xai/src/convert-xai-chat-usage.test.ts.
    const usage = {
      prompt_tokens: 4142,
      completion_tokens: 254,
      total_tokens: 8724,
      prompt_tokens_details: { cached_tokens: 4328 },
    };
    const counted = usageOf({ promptTokens: 8470, cachedTokens: 4328, totalTokens: 8724 });
    expect(readUsage(usage)).toEqual({ ...counted, completionTokens: 254 });
    const completion_tokens_details = { reasoning_tokens: 100 };
    expect(readUsage({ ...usage, total_tokens: 8824, completion_tokens_details })).toEqual({
      ...counted,
      totalTokens: 8824,
      completionTokens: 354,
      reasoningTokens: 100,
    });
  });

  test.each([
    { num_cached_tokens: 60 },
    { prompt_token_details: { cached_tokens: 60 } },
    { prompt_tokens_details: { cached_tokens: 60 }, num_cached_tokens: 60 },
  ])('reads the cached tokens of Mistral in %j', (fields) => {
    // `mistralai/client-ts`, src/models/components/usageinfodollardefs.ts.
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...fields };
    expect(readUsage(usage)).toMatchObject({ promptTokens: 100, cachedTokens: 60 });
  });

  test('counts reasoning tokens that are only in the total, for Google only', () => {
    // As in a post about Gemini 2.5 Pro in the forum of Google's developers.
    const usage = { prompt_tokens: 758, completion_tokens: 102, total_tokens: 1725 };
    const body = { choices: [{ message: { content: 'a' }, finish_reason: 'stop' }], usage };
    const usageAt = (baseUrl: string, counts = {}) => {
      const converted = chatBody(textRequest, traitsOf(baseUrl), false);
      return new ChunkReader(converted, undefined).whole({
        ...body,
        usage: { ...usage, ...counts },
      }).usage;
    };
    const google = 'https://generativelanguage.googleapis.com/v1beta/openai';
    const input = { promptTokens: 758, totalTokens: 1725 };
    expect(usageAt(google)).toEqual(
      usageOf({ ...input, completionTokens: 967, reasoningTokens: 865 }),
    );
    const allReasoning = { completion_tokens: undefined };
    expect(usageAt(google, allReasoning)).toMatchObject({ completionTokens: 967 });
    // Google may count as all others do some day, or for another model.
    for (const reasoning_tokens of [865, 512]) {
      const completion_tokens_details = { reasoning_tokens };
      const counts = { completion_tokens: 967, completion_tokens_details };
      const output = { completionTokens: 967, reasoningTokens: reasoning_tokens };
      expect(usageAt(google, counts)).toMatchObject(output);
    }
    const beside = { completion_tokens_details: { reasoning_tokens: 865 } };
    expect(usageAt(google, beside)).toMatchObject({ completionTokens: 967, reasoningTokens: 865 });
    for (const total_tokens of [undefined, 860, 5]) {
      expect(usageAt(google, { total_tokens })).toMatchObject({ completionTokens: 102 });
    }
    const other = 'https://example.com/v1beta/openai';
    expect(usageAt(other)).toEqual(usageOf({ ...input, completionTokens: 102 }));
    const [part] = new ChunkReader(chatBody(textRequest, traitsOf(google), true), undefined).read({
      event: 'message',
      data: JSON.stringify({ choices: [], usage }),
    });
    expect(part).toMatchObject({ usage: { completionTokens: 967 } });
  });

  test('joins the text parts of array content', async () => {
    expect((await answerOf('array-content')).text).toBe('Two parts');
  });

  test.each([
    ['length', 'length'],
    ['tool-calls', 'tool_calls'],
    ['text-null-content', 'stop'],
  ] as const)('%s: finish reason %s', async (fixture, finishReason) => {
    expect((await answerOf(fixture)).finishReason).toBe(finishReason);
  });

  test('contains the tools that the model calls', async () => {
    const { text, toolCalls } = await answerOf('tool-calls');
    expect(text).toBe('');
    expect(toolCalls).toEqual([{ id: 'call_1', name: 'weather', arguments: '{}' }]);
  });

  test('with a malformed tool call is repaired', () => {
    const call = (id: unknown, text: unknown) => ({ id, function: { name: 'f', arguments: text } });
    const tool_calls = [call('a', { x: 1 }), call(undefined, ''), call('c', null)];
    const body = { choices: [{ message: { content: null, tool_calls }, finish_reason: 'stop' }] };
    const answer = new ChunkReader(sent, undefined).whole(body);
    expect(answer.finishReason).toBe('tool_calls');
    expect(answer.toolCalls.map(({ arguments: text }) => text)).toEqual(['{"x":1}', '{}', '{}']);
    expect(new Set(answer.toolCalls.map(({ id }) => id)).size).toBe(3);
  });

  test('without usage reports none, which is not zero', async () => {
    expect((await answerOf('text-no-usage')).usage).toEqual(noUsage);
    expect((await answerOf('text-null-content')).usage.completionTokens).toBe(0);
  });

  test.each([
    ['refusal', { promptTokens: 81, completionTokens: 11, totalTokens: 92 }],
    ['content-filter', { promptTokens: 12, completionTokens: 0, totalTokens: 12 }],
  ])('%s: is refused content, with the reported usage', async (fixture, usage) => {
    const error = await providerErrorOf(() => answerOf(fixture));
    expect(error).toMatchObject({ fault: 'content_refused', accepted: true, usage });
  });

  test('an error with status 200 is an error', async () => {
    const body = await jsonFixture('error-in-answer');
    const event = { event: '', data: JSON.stringify(body) };
    const error = await providerErrorOf(() => new ChunkReader(sent, undefined).read(event));
    expect(error).toMatchObject({ fault: 'busy', status: 429, accepted: true });
  });

  test.each([
    [[]],
    ['text'],
    [null],
    [{}],
    [{ choices: {} }],
    [{ choices: [] }],
    [{ choices: [{ message: 'hi' }] }],
    [{ choices: [{ message: { content: 7 } }] }],
    [{ choices: [{ message: { content: ['part'] } }] }],
    [{ choices: [{ message: { content: '', refusal: {} } }] }],
    [{ choices: [{ message: { tool_calls: {} } }] }],
    [{ choices: [{ message: { tool_calls: ['f'] } }] }],
    [{ choices: [{ message: { tool_calls: [{ id: 'a', function: {} }] } }] }],
    [{ choices: [{ message: { tool_calls: [{ function: { name: 'f', arguments: 5 } }] } }] }],
  ])('%j is malformed', async (body) => {
    const error = await providerErrorOf(() => new ChunkReader(sent, undefined).whole(body));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('an unknown finish reason is kept; one of a wrong type is dropped', () => {
    const body = (finish_reason: unknown) => ({
      choices: [{ message: { content: 'x' }, finish_reason }],
    });
    expect(
      new ChunkReader(sent, undefined).whole(body('insufficient_system_resource')),
    ).toMatchObject({
      finishReason: 'other',
    });
    expect(new ChunkReader(sent, undefined).whole(body(5))).toMatchObject({
      finishReason: 'other',
    });
  });

  test('characters that no database can store are replaced', () => {
    const body = { choices: [{ message: { content: 'a\0b\ud800c' }, finish_reason: 'stop' }] };
    expect(new ChunkReader(sent, undefined).whole(body).text).toBe('a\uFFFDb\uFFFDc');
  });
});

test.each([
  [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, 0, 0, 0],
  [{ prompt_tokens: '7', completion_tokens: -1, total_tokens: 1.5 }, null, null, null],
  [{ prompt_tokens: 1e300, completion_tokens: null, total_tokens: true }, null, null, null],
  [{ input_tokens: 5, output_tokens: 6 }, 5, 6, null],
  ['7', null, null, null],
  [null, null, null, null],
])('usage %j', (usage, promptTokens, completionTokens, totalTokens) => {
  expect(readUsage(usage)).toEqual(usageOf({ promptTokens, completionTokens, totalTokens }));
});

describe('an image', () => {
  test("in base64 becomes an answer, with an image's names of usage", async () => {
    const { image, usage } = readImageBody(await jsonFixture('image-base64'));
    if (!('bytes' in image)) throw new Error('expected bytes');
    expect(imageAnswer(image.bytes, { usage, ...sent })).toMatchObject({
      contentType: 'image/png',
      usage: { promptTokens: 50, completionTokens: 50, totalTokens: 100 },
      providerMessageId: null,
    });
  });

  test('may be at an address', async () => {
    const { image } = readImageBody(await jsonFixture('image-url'));
    expect(image).toEqual({ url: 'https://images.example.com/generated.png' });
  });

  test.each([['image-no-data'], ['text']])('%s: has no image', async (fixture) => {
    const body = await jsonFixture(fixture);
    const error = await providerErrorOf(() => readImageBody(body));
    expect(error.fault).toBe('failed');
  });

  test('that is not base64 or of an unknown format is malformed', async () => {
    const bad = { data: [{ b64_json: '***' }] };
    expect((await providerErrorOf(() => readImageBody(bad))).fault).toBe('failed');
    const html = new TextEncoder().encode('<html>');
    expect(
      (await providerErrorOf(() => imageAnswer(html, { usage: noUsage, ...sent }))).fault,
    ).toBe('failed');
  });

  test.each([
    ['https://images.example.com/a.png', true],
    ['http://127.0.0.1:9000/images/a.png', true],
    ['http://127.0.0.1:9001/images/a.png', false],
    ['http://images.example.com/a.png', false],
    ['https://user:pass@images.example.com/a.png', false],
    ['https://10.0.0.1/a.png', false],
    ['https://2130706433/a.png', false],
    ['https://[::1]/a.png', false],
    ['https://localhost/a.png', false],
    ['https://foo.localhost./a.png', false],
    ['https://metadata.google.internal/a.png', false],
    ['https://intranet/a.png', false],
    ['data:image/png;base64,AAAA', false],
    ['file:///etc/passwd', false],
  ])('at %s may be fetched: %p', (url, allowed) => {
    expect(mayFetchImage(new URL(url), 'http://127.0.0.1:9000/v1')).toBe(allowed);
  });
});

describe('an error body', () => {
  test.each([
    ['error-content-policy', true],
    ['error-content-filter-azure', true],
    ['error-rate-limit', false],
    ['error-invalid-key', false],
    ['error-plain-text', false],
  ])('%s: refused content: %p', async (fixture, contentRefused) => {
    const facts = explainError(await jsonFixture(fixture));
    expect(facts.contentRefused).toBe(contentRefused);
    expect(facts.reported.message).toBeString();
  });

  test.each([
    // DeepSeek
    [{ error: { message: 'Content Exists Risk', code: 'invalid_request_error' } }, true],
    // xAI
    [{ code: 'permission-denied', error: 'Content violates usage guidelines. Model: grok' }, true],
    [{ code: 'permission-denied', error: 'Access to the chat endpoint is denied' }, false],
    // OpenRouter
    [
      { error: { code: 403, message: 'no', metadata: { reasons: ['hate'], flagged_input: 'x' } } },
      true,
    ],
    [{ error: { code: 429, message: 'no', metadata: { provider_name: 'x', raw: '' } } }, false],
  ])('%j without a code of its own: refused content: %p', (body, contentRefused) => {
    expect(explainError(body).contentRefused).toBe(contentRefused);
  });

  test.each([[undefined], [null], [[]], [{}]])('%j says nothing', (body) => {
    const reported = { message: '' };
    expect(explainError(body)).toEqual({ reported, contentRefused: false, usage: undefined });
  });
});
