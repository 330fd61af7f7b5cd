/** The response of a stream, on made-up events: a client that takes nothing, and an event that can't be written. */
import { expect, test } from 'bun:test';
import type { StreamEvent } from '../../src/chat/index.ts';
import { eventStream } from '../../src/http/event-stream.ts';
import { failure } from '../support/failure.ts';

const delta: StreamEvent = { type: 'delta', text: 'Hi' };

/** Endless events, and what became of them. */
function endless() {
  const seen = { gone: 0, closed: Promise.withResolvers<void>() };
  async function* events() {
    try {
      for (;;) yield [delta];
    } finally {
      seen.closed.resolve();
    }
  }
  return { seen, events: events(), onGone: () => void seen.gone++ };
}

test('an event that can not be written cuts the connection and ends the send', async () => {
  const { seen, events, onGone } = endless();
  const write = () => Promise.reject(new Error('no name for this model'));
  const response = eventStream(events, write, onGone);
  expect(await failure(response.text())).toMatchObject({ message: 'no name for this model' });
  await seen.closed.promise;
  expect(seen.gone).toBe(1);
});

test('a client that takes nothing for long has left', async () => {
  const { seen, events, onGone } = endless();
  const response = eventStream(events, () => 'data: {}\n\n', onGone, 1);
  await seen.closed.promise;
  expect(seen.gone).toBe(1);
  expect(await failure(response.text())).toMatchObject({ message: 'the client takes nothing' });
});

test('one that takes what there is has not, however little comes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* events() {
    yield [delta];
    await promise;
    yield [delta];
  }
  let gone = 0;
  const response = eventStream(
    events(),
    () => 'data: {}\n\n',
    () => void gone++,
    1,
  );
  let text = '';
  let beats = 0;
  for await (const piece of response.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(piece);
    if (text.endsWith(': keep-alive\n\n') && ++beats === 30) resolve();
  }
  expect(text).toStartWith('data: {}');
  expect(text).toEndWith('data: {}\n\n');
  expect(gone).toBe(0);
});

test('a large event goes out in pieces, whole', async () => {
  const text = 'x'.repeat(1_000_000);
  async function* events() {
    yield [{ type: 'delta', text } as StreamEvent];
  }
  const write = (event: StreamEvent) => (event.type === 'delta' ? event.text : '');
  const response = eventStream(events(), write, () => undefined);
  const pieces: number[] = [];
  for await (const piece of response.body as ReadableStream<Uint8Array>) pieces.push(piece.length);
  expect(Math.max(...pieces)).toBe(65_536);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(text.length);
});
