/** Rare answers of servers of each dialect, from which nothing may be lost. */
import { describe, expect, test } from 'bun:test';
import { sdkFailure } from '../../src/providers/ai-sdk/failure.ts';
import { PartReader } from '../../src/providers/ai-sdk/stream.ts';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { messagesBody } from '../../src/providers/anthropic/request.ts';
import { ResponseReader } from '../../src/providers/gemini/answer.ts';
import { readImage } from '../../src/providers/gemini/image.ts';
import { SignatureStore } from '../../src/providers/gemini/signatures.ts';
import { readUsage as geminiUsage } from '../../src/providers/gemini/usage.ts';
import { CompletionReader } from '../../src/providers/gigachat/answer.ts';
import { embeddingAnswer } from '../../src/providers/gigachat/embeddings.ts';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { readUsage } from '../../src/providers/openai/usage.ts';
import type { EventReader } from '../../src/providers/shared/answer-reader.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { allTextsOf, providerErrorOf, running, textRequest, usageOf } from './fixtures.ts';

const sent = { seed: null, warnings: [] };
const say = (reader: EventReader, ...events: object[]) =>
  events.flatMap((event) => reader.read({ event: '', data: JSON.stringify(event) }));

describe('openai', () => {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'c1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

  test('the end and the name of a stream stay, whatever its last chunks omit', () => {
    const reader = new ChunkReader(sent, undefined);
    say(reader, chunk({ content: 'Hi' }), chunk({}, 'length'), { ...chunk({}), id: '' });
    expect(reader.finish().answer).toMatchObject({
      finishReason: 'length',
      providerMessageId: 'c1',
    });
  });

  test('a choice that ended in an error is an error, with the usage so far', async () => {
    const reader = new ChunkReader(sent, undefined);
    say(reader, { ...chunk({ content: 'Hi' }), usage: { prompt_tokens: 3 } });
    const error = await providerErrorOf(() => say(reader, chunk({}, 'error')));
    const usage = usageOf({ promptTokens: 3 });
    expect(error).toMatchObject({ fault: 'failed', accepted: true, usage });
  });

  test.each([
    [{ object: 'error', message: 'no', code: 429 }, 'busy', 429],
    [{ error: { message: 'no', code: 404 } }, 'not_found', 404],
    [{ error: { message: 'no', code: 1_301 } }, 'failed', 500],
    [{ error: 'no' }, 'failed', 500],
  ])('%j with status 200 is an error of a call that had begun', async (body, fault, status) => {
    const error = await providerErrorOf(() => say(new ChunkReader(sent, undefined), body));
    expect(error).toMatchObject({ fault, status, accepted: true });
  });

  test('complete calls with the same number stay separate', () => {
    const call = (name: string) => ({ index: 0, function: { name, arguments: '{}' } });
    const message = { content: null, tool_calls: [call('one'), call('two')] };
    const body = { choices: [{ message, finish_reason: 'tool_calls' }] };
    const { toolCalls } = new ChunkReader(sent, undefined).whole(body);
    expect(toolCalls.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  test("DeepSeek's cached tokens are reported, and a reseller's cost in rubles has priority", () => {
    const usage = { prompt_tokens: 9, prompt_cache_hit_tokens: 7, cost: 0.1, cost_rub: 8 };
    expect(readUsage(usage)).toMatchObject({
      cachedTokens: 7,
      providerCost: { amount: '8', currency: 'RUB' },
    });
  });
});

describe('anthropic', () => {
  const start = { type: 'message_start', message: { id: 'm1', usage: { input_tokens: 3 } } };
  const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } };
  const end = (delta: object, usage: object) => ({ type: 'message_delta', delta, usage });

  test('what an earlier event said about the end stays if a later one omits it', () => {
    const reader = new MessageReader(sent, undefined);
    const counted = { output_tokens: 5, output_tokens_details: { thinking_tokens: 2 } };
    const stop = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    say(reader, start, text, end(stop, counted), end({}, { input_tokens: 4 }));
    expect(reader.finish().answer).toMatchObject({
      finishReason: 'stop',
      stopSequence: 'END',
      usage: usageOf({ promptTokens: 4, completionTokens: 5, reasoningTokens: 2 }),
    });
  });

  test.each([['error'], ['something_new']])(
    'an error reported as %s ends the stream',
    async (type) => {
      const reader = new MessageReader(sent, undefined);
      say(reader, start);
      const event = { type, error: { type: 'overloaded_error', message: 'Overloaded' } };
      const error = await providerErrorOf(() => say(reader, event));
      const usage = usageOf({ promptTokens: 3 });
      expect(error).toMatchObject({ fault: 'busy', accepted: true, status: 529, usage });
    },
  );

  test('a stream that stops without a reason is incomplete', async () => {
    const reader = new MessageReader(sent, undefined);
    say(reader, start, text, { type: 'message_stop' });
    expect(await providerErrorOf(() => reader.finish())).toMatchObject({ fault: 'failed' });
  });

  test('settings that the API refuses are not sent', () => {
    const tools = [{ name: 'one', description: undefined, parameters: undefined }];
    const request = { ...textRequest, tools, parallelToolCalls: false, stop: [] };
    const { body } = messagesBody({ ...request, toolChoice: 'none' }, false);
    expect(body.tool_choice).toEqual({ type: 'none' });
    expect(body).not.toHaveProperty('stop_sequences');
  });

  test('an answer that filled the context was cut short', () => {
    const body = { content: [], stop_reason: 'model_context_window_exceeded' };
    expect(new MessageReader(sent, undefined).whole(body).finishReason).toBe('length');
  });
});

describe('gemini', () => {
  const reading = () => ({ sent, signatures: new SignatureStore(), secret: undefined });
  const candidate = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { parts }, ...(finishReason && { finishReason }) }],
  });

  test('calls of one answer stay separate, and its end stays', () => {
    const reader = new ResponseReader(reading());
    const call = (name: string) => ({ functionCall: { name, args: { of: name } } });
    say(reader, candidate([call('one'), call('two')], 'STOP'), candidate([]));
    const { toolCalls, finishReason } = reader.finish().answer;
    expect(toolCalls.map((each) => [each.name, each.arguments])).toEqual([
      ['one', '{"of":"one"}'],
      ['two', '{"of":"two"}'],
    ]);
    expect(finishReason).toBe('tool_calls');
  });

  test('tokens that its tools put into the prompt are input', () => {
    const usage = { promptTokenCount: 3, toolUsePromptTokenCount: 4, totalTokenCount: 9 };
    expect(geminiUsage(usage)).toMatchObject({ promptTokens: 7, completionTokens: 2 });
  });

  test('the image is the last one outside the reasoning', () => {
    const png = { inlineData: { mimeType: 'image/png', data: tinyPng.toString('base64') } };
    const draft = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const body = candidate([draft, png, { ...draft, thought: true }], 'STOP');
    expect(readImage(body, sent).bytes).toEqual(new Uint8Array(tinyPng));
  });
});

describe('gigachat', () => {
  test('a call has the state of its answer as its id, whichever chunk contains it', () => {
    const reader = new CompletionReader(sent, undefined);
    const state = '77d3fb14-457a-46ba-937e-8d856156d003';
    const chunk = (delta: object, finish?: string) => ({
      choices: [{ delta, finish_reason: finish }],
    });
    say(reader, chunk({ content: '', functions_state_id: state }));
    say(reader, chunk({ function_call: { name: 'one', arguments: {} } }, 'function_call'));
    expect(reader.finish().answer.toolCalls).toEqual([{ id: state, name: 'one', arguments: '{}' }]);
  });

  test('vectors have no usage if one of them has none', () => {
    const data = [{ embedding: [1], usage: { prompt_tokens: 3 } }, { embedding: [2] }];
    expect(embeddingAnswer({ data }, 2, []).usage).toEqual(usageOf({}));
  });
});

describe('ai-sdk', () => {
  const secret = 'a key like no other 0123456789';
  const context = { signal: running(), secret, now: () => 0 };
  const named = (name: string, facts: object = {}) =>
    Object.assign(new Error(`no ${secret}`), { name }, facts);
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  test.each([
    ['an answer of 429', named('AI_APICallError', { statusCode: 429 }), 'busy'],
    ['a bad argument', named('AI_InvalidArgumentError'), 'failed'],
    ['a connection that was refused', named('AI_APICallError', { cause: refused }), undefined],
  ])('%s may be repeated before an answer has begun, and not after', (_, error, fault) => {
    const before = sdkFailure(error, { ...context, begun: false });
    const after = sdkFailure(error, { ...context, begun: true });
    expect(before).toMatchObject({ accepted: false, fault: fault ?? 'unreachable' });
    expect(after).toMatchObject({ accepted: true, fault: fault ?? 'failed' });
    expect(allTextsOf(before) + allTextsOf(after)).not.toContain(secret);
  });

  test('an error within a stream ends it', async () => {
    const reader = new PartReader(sent, (error) => sdkFailure(error, { ...context, begun: true }));
    const part = { type: 'error', error: named('AI_APICallError', { statusCode: 500 }) };
    expect(await providerErrorOf(() => reader.read(part))).toMatchObject({ status: 500 });
  });
});
