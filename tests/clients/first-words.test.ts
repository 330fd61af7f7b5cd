/** What a stream's response waits for, on made-up events. */
import { expect, test } from 'bun:test';
import type { StreamEvent, StreamEvents } from '../../src/chat/index.ts';
import { firstWords } from '../../src/http/compatible/first-words.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';

const start: StreamEvent = { type: 'start', roomId: 'r', id: 1, askedAt: 0 };
const word: StreamEvent = { type: 'delta', text: 'Hi' };
const broken: StreamEvent = { type: 'error', error: new DomainError('provider_error', 'broken') };
const here = new AbortController().signal;

/** Events of which those after `start` come only when `ready` does. */
async function* events(ready: Promise<void>, after: StreamEvent[], ended?: () => void) {
  try {
    yield [start];
    await ready;
    for (const event of after) yield [event];
  } finally {
    ended?.();
  }
}

/** All batches until the end. */
async function batchesOf(stream: StreamEvents) {
  const batches: (readonly StreamEvent[])[] = [];
  for (let next = await stream.next(); !next.done; next = await stream.next())
    batches.push(next.value);
  return batches;
}

test('no event is lost, and an error after the first word stays an event', async () => {
  const begun = await firstWords(events(Promise.resolve(), [word, broken]), here);
  expect(await batchesOf(begun)).toEqual([[start], [word], [broken]]);
});

test('the answering model is named first if it is known in time', async () => {
  const served: StreamEvent = { type: 'served', versionId: 7 };
  async function* opened(ready: Promise<void>) {
    yield [start];
    await ready;
    yield [served, word];
    yield [broken];
  }
  const begun = await firstWords(opened(Promise.resolve()), here);
  expect((await batchesOf(begun)).flat()).toEqual([served, start, word, broken]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = await firstWords(opened(promise), here, 0);
  resolve();
  expect((await batchesOf(late)).flat()).toEqual([start, served, word, broken]);
});

test('an error before the first word is thrown, and the stream is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const failed = firstWords(events(Promise.resolve(), [broken], resolve), here);
  expect(await failure(failed)).toMatchObject({ code: 'provider_error' });
  await promise;
});

test('the response begins without a slow first word; a later error is an event', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = await firstWords(events(promise, [broken]), here, 0);
  expect((await begun.next()).value).toEqual([start]);
  resolve();
  expect(await batchesOf(begun)).toEqual([[broken]]);
});

test('a stream whose client has gone is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gone = AbortSignal.abort();
  const left = firstWords(events(Promise.resolve(), [word, word], resolve), gone);
  expect(await failure(left)).toMatchObject({ code: 'overloaded' });
  await promise;
});

test('a client that leaves in the middle closes the stream', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = await firstWords(events(Promise.resolve(), [word, word], resolve), here);
  await begun.next();
  await begun.return(undefined);
  await promise;
});
