/** The meanings of connection errors, and how much of a body is read before it counts as too large. */
import { describe, expect, test } from 'bun:test';
import { afterAcceptance, connectFailure } from '../../src/providers/shared/failures.ts';
import { answerOf, readBytes, readErrorBody, readJson } from '../../src/providers/shared/body.ts';
import { Omissions } from '../../src/providers/shared/unsupported.ts';
import { ToolCalls } from '../../src/providers/shared/answer-reader.ts';
import { reportedCost, tokenCount } from '../../src/providers/shared/wire.ts';
import { ProviderError, type ProviderFault } from '../../src/providers/index.ts';
import { providerErrorOf, running, usageOf } from './fixtures.ts';

const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('a call that could not be made', () => {
  test.each<[what: string, error: Error, fault: ProviderFault, accepted: boolean]>([
    ['no such host', coded('ENOTFOUND'), 'unreachable', false],
    ['no answer of the name servers', coded('EAI_AGAIN'), 'unreachable', false],
    ['a connection that was refused', coded('ECONNREFUSED'), 'unreachable', false],
    ['a connection that broke', coded('ECONNRESET'), 'unreachable', true],
    ['a bad address or header', new TypeError('bad'), 'failed', false],
    ['an unforeseen code', coded('EWHATEVER'), 'failed', true],
    ['a deadline of its own', new DOMException('late', 'TimeoutError'), 'timeout', true],
  ])('%s', (_, error, fault, accepted) => {
    expect(connectFailure(error, running())).toMatchObject({ fault, accepted });
  });
});

test.each<[before: ProviderFault, after: ProviderFault]>([
  ['busy', 'failed'],
  ['unreachable', 'failed'],
  ['timeout', 'timeout'],
])('a failure as %s after the work was done must not be repeated', (before, after) => {
  const usage = usageOf({ promptTokens: 3 });
  const error = new ProviderError(before, 'no', { accepted: false, status: 503 });
  const failure = { fault: after, accepted: true, status: 503, usage };
  expect(afterAcceptance(error, usage)).toMatchObject(failure);
});

describe('a body', () => {
  const answer = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
    answerOf(new Response(body, { headers }));
  const chunked = () => new Blob(['1234567890']).stream();

  test.each([
    ['of the length that it declares', answer('1234567890', { 'content-length': '10' })],
    ['of no declared length', answer(chunked())],
  ])('%s is read up to the limit', async (_, response) => {
    expect(await readBytes(response, 10, running())).toHaveLength(10);
  });

  test.each([
    ['by what it declares', answer('1234567890', { 'content-length': '10' })],
    ['by what comes', answer(chunked())],
    [
      'unpacked, whatever it declares',
      answer(chunked(), { 'content-length': '2', 'content-encoding': 'gzip' }),
    ],
  ])('that is too large %s is refused', async (_, response) => {
    const error = await providerErrorOf(() => readBytes(response, 9, running()));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
    expect(error.message).toContain('too large');
  });

  test('of an error is empty if the deadline passes, and its caller may stop it', async () => {
    const broken = () =>
      answer(new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) }));
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(await readErrorBody(broken(), late)).toBeUndefined();
    expect(await readErrorBody(broken(), running())).toBeUndefined();
    const stopped = await providerErrorOf(() => readErrorBody(broken(), AbortSignal.abort()));
    expect(stopped).toMatchObject({ fault: 'failed', accepted: true });
  });

  test.each([
    ['application/json; charset="UTF-8"', true],
    ['application/json; charset=us-ascii', true],
    ['application/problem+json', true],
    ['application/json; charset=windows-1251', false],
    ['text/html', false],
  ])('of the type %s is JSON: %p', async (type, isJson) => {
    const read = () => readJson(answer('{"a":1}', { 'content-type': type }), 100, running());
    if (isJson) expect(await read()).toEqual({ a: 1 });
    else expect(await providerErrorOf(read)).toMatchObject({ fault: 'failed', accepted: true });
  });
});

describe('tool calls', () => {
  test('of a server that numbers every one 0 are distinguished by their ids', () => {
    const calls = new ToolCalls();
    calls.add({ key: 0, id: 'a', name: 'one', arguments: '{"x":' });
    calls.add({ key: 0, id: 'a', arguments: '1}' });
    calls.add({ key: 0, id: 'b', name: 'two', arguments: '' });
    expect(calls.all).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });

  test('are limited', async () => {
    const calls = new ToolCalls();
    const add = (key: number) => calls.add({ key, name: 'again', arguments: '' });
    for (let key = 0; key < 1_024; key++) add(key);
    expect(await providerErrorOf(() => add(1_024))).toMatchObject({ fault: 'failed' });
  });
});

describe('a reported value', () => {
  test.each([
    [0, '0'],
    [10, '10'],
    [0.5, '0.5'],
    [1e-7, '0.0000001'],
    [1_000_000, '1000000'],
  ])('of %p as cost is its exact decimal', (value, amount) => {
    expect(reportedCost(value, 'RUB')).toEqual({ amount, currency: 'RUB' });
  });

  test.each([[-0.01], [1_000_001], [Number.NaN], ['1'], [null]])('of %p is not a cost', (value) => {
    expect(reportedCost(value, null)).toBeUndefined();
  });

  test.each([
    [0, 0],
    [10_000_000_000, 10_000_000_000],
    [10_000_000_001, null],
    [-1, null],
    [1.5, null],
    ['1', null],
  ])('of %p tokens is %p', (value, count) => {
    expect(tokenCount(value)).toBe(count);
  });
});

test('fields without effect are omitted silently, others with a warning', () => {
  const none = new Omissions({ frequencyPenalty: 0, presencePenalty: 0, stop: [] });
  none.addAll('frequencyPenalty', 'presencePenalty', 'stop', 'seed');
  none.addIf(1, 'topP', 'No top_p.');
  expect(none.warnings).toEqual([]);
  const leftOut = new Omissions({ frequencyPenalty: 0.1, presencePenalty: 0.1 });
  leftOut.addAll('frequencyPenalty', 'presencePenalty');
  leftOut.addIf(0.9, 'topP', 'No top_p.');
  expect(leftOut.warnings).toEqual([
    'This provider does not support frequency penalties. It was left out.',
    'This provider does not support presence penalties. It was left out.',
    'No top_p. It was left out.',
  ]);
});
