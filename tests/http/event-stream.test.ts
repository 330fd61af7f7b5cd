/** The body of a stream, between a provider that makes events and a client that reads at its own pace. */
import { expect, test } from 'bun:test';
import type { EventBatch, StreamEvent } from '../../src/chat/index.ts';
import { EventBody, type EventWriter } from '../../src/http/event-stream.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';

const MIB = 1024 * 1024;
const delta = (text: string): StreamEvent => ({ type: 'delta', text });
const start: StreamEvent = { type: 'start', roomId: 'r', id: 1, askedAt: 0 };
const word = delta('Hi');
const served: StreamEvent = { type: 'served', versionId: 7 };
const broken: StreamEvent = { type: 'error', error: new DomainError('provider_error', 'broken') };

/** A body whose events are written as JSON, one per line, and the events that its client has read. */
function bodyOf(write: EventWriter = (event) => `${JSON.stringify(event)}\n`, beatMs?: number) {
  const client = new AbortController();
  const body = new EventBody({ signal: client.signal }, write, beatMs);
  const taken: StreamEvent[] = [];
  body.onTaken = (events) => void taken.push(...events);
  const push = (...batches: EventBatch[]) => batches.forEach((batch) => body.push(batch));
  return { body, taken, client, push };
}

function readerOf(body: EventBody): () => Promise<string | undefined> {
  const reader = (body.response({}).body as ReadableStream<Uint8Array>).getReader();
  return async () => {
    const { value } = await reader.read();
    return value && new TextDecoder().decode(value);
  };
}

const linesOf = (...events: StreamEvent[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

test('events arrive in order, whether the client waits or reads later', async () => {
  const { body, taken, push } = bodyOf();
  const read = readerOf(body);
  const early = read();
  push([delta('a')]);
  expect(await early).toBe(linesOf(delta('a')));
  push([delta('b'), delta('c')]);
  expect(await read()).toBe(linesOf(delta('b'), delta('c')));
  const last = read();
  body.end();
  expect(await last).toBeUndefined();
  expect(taken).toEqual([delta('a'), delta('b'), delta('c')]);
});

test('the queue is bounded, and has room again once the client has read enough', async () => {
  const { body, push } = bodyOf();
  push([delta('x'.repeat(MIB))]);
  expect(body.room()).toBeUndefined();
  push([{ type: 'tool_call', index: 0, arguments: 'y' }]);
  const room = body.room();
  expect(room).toBeInstanceOf(Promise);
  await readerOf(body)();
  await room;
  expect(body.room()).toBeUndefined();
});

test('dropped events are never delivered, later ones are', async () => {
  const { body, taken, push } = bodyOf();
  push([delta('a')]);
  body.drop();
  push([delta('b')]);
  expect(await readerOf(body)()).toBe(linesOf(delta('b')));
  expect(taken).toEqual([delta('b')]);
});

test('a client that leaves frees the queue and stops the send', async () => {
  const { body, taken, push } = bodyOf();
  push([start], [delta('x'.repeat(MIB)), delta('y')], [delta('z')]);
  const room = body.room();
  const reader = (body.response({}).body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  expect(body.gone.aborted).toBe(false);
  await reader.cancel();
  await room;
  expect(body.gone.aborted).toBe(true);
  expect(taken).not.toContainEqual(delta('z'));
});

test('a client that leaves before the response begins stops the send', () => {
  const { body, client } = bodyOf();
  client.abort();
  expect(body.gone.aborted).toBe(true);
});

test('an event that cannot be written closes the connection and ends the send', async () => {
  const { body, push } = bodyOf(() => Promise.reject(new Error('no name for this model')));
  push([word]);
  expect(await failure(body.response({}).text())).toMatchObject({
    message: 'no name for this model',
  });
  expect(body.gone.aborted).toBe(true);
});

test('a client that reads nothing for a long time counts as gone', async () => {
  const { body, push } = bodyOf(() => 'data: {}\n\n', 1);
  push([word], [word]);
  const response = body.response({});
  await new Promise<void>((resolve) => body.gone.addEventListener('abort', resolve));
  expect(await failure(response.text())).toMatchObject({ message: 'the client takes nothing' });
});

test('a client that reads all events does not count as gone, however few there are', async () => {
  const { body, push } = bodyOf(() => 'data: {}\n\n', 1);
  push([word]);
  let text = '';
  let beats = 0;
  for await (const piece of body.response({}).body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(piece);
    if (!text.endsWith(': keep-alive\n\n') || ++beats !== 30) continue;
    push([word]);
    body.end();
  }
  expect(text).toStartWith('data: {}');
  expect(text).toEndWith('data: {}\n\n');
  expect(body.gone.aborted).toBe(false);
});

test('a large event is sent completely, in pieces', async () => {
  const text = 'x'.repeat(1_000_000);
  const { body, push } = bodyOf((event) => (event.type === 'delta' ? event.text : ''));
  push([delta(text)]);
  body.end();
  const pieces: number[] = [];
  for await (const piece of body.response({}).body as ReadableStream<Uint8Array>) {
    pieces.push(piece.length);
  }
  expect(Math.max(...pieces)).toBe(65_536);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(text.length);
});

test('no event before the first word is lost, and a later error is an event', async () => {
  const { body, taken, push } = bodyOf();
  const begun = body.firstWord();
  push([start], [word], [broken]);
  body.end();
  await begun;
  expect(await body.response({}).text()).toBe(linesOf(start, word, broken));
  expect(taken).toEqual([start, word, broken]);
});

test('the answering model is named at the start if it is known in time', async () => {
  const early = bodyOf();
  early.push([start], [served, word], [broken]);
  early.body.end();
  await early.body.firstWord();
  expect(await early.body.response({}).text()).toBe(linesOf(served, start, word, broken));

  const late = bodyOf();
  late.push([start]);
  await late.body.firstWord(0);
  late.push([served, word], [broken]);
  late.body.end();
  expect(await late.body.response({}).text()).toBe(linesOf(start, served, word, broken));
});

test('an error before the first word is thrown', async () => {
  const { body, push } = bodyOf();
  push([start], [broken]);
  body.end();
  expect(await failure(body.firstWord())).toMatchObject({ code: 'provider_error' });
});

test('the response begins before a slow first word; a later error is an event', async () => {
  const { body, push } = bodyOf();
  push([start]);
  await body.firstWord(0);
  const read = readerOf(body);
  expect(await read()).toBe(linesOf(start));
  push([broken]);
  body.end();
  expect(await read()).toBe(linesOf(broken));
  expect(await read()).toBeUndefined();
});

test('a client that has left gets no response, and what arrived counts as delivered', async () => {
  const { body, taken, client, push } = bodyOf();
  push([start], [word], [word]);
  client.abort();
  expect(await failure(body.firstWord())).toMatchObject({ code: 'overloaded' });
  expect(taken).toEqual([start, word]);
});
