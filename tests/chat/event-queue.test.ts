/** Events between a provider that makes them and a reader who takes them at its own pace. */
import { expect, test } from 'bun:test';
import { EventQueue } from '../../src/chat/send/event-queue.ts';
import type { StreamEvent } from '../../src/chat/send/stream-event.ts';

const MIB = 1024 * 1024;
const delta = (text: string): StreamEvent => ({ type: 'delta', text });

function queueOf() {
  const taken: StreamEvent[] = [];
  const seen = { taken, left: 0 };
  const queue = new EventQueue({
    onTaken: (events) => void taken.push(...events),
    onLeave: () => {
      seen.left++;
      return Promise.resolve();
    },
  });
  return { queue, seen };
}

test('events come in their order, to a reader who waits and to one who comes later', async () => {
  const { queue, seen } = queueOf();
  const early = queue.next();
  queue.push([delta('a')]);
  queue.push([delta('b'), delta('c')]);
  expect((await early).value).toEqual([delta('a')]);
  expect(seen.taken).toEqual([delta('a')]);
  expect((await queue.next()).value).toEqual([delta('b'), delta('c')]);
  const last = queue.next();
  queue.end();
  expect(await last).toEqual({ done: true, value: undefined });
  expect((await queue.next()).done).toBe(true);
  expect(seen.taken).toHaveLength(3);
});

test('what waits is bounded: there is room again once the reader has taken enough', async () => {
  const { queue } = queueOf();
  queue.push([delta('x'.repeat(MIB))]);
  expect(queue.room()).toBeUndefined();
  queue.push([{ type: 'tool_call', index: 0, arguments: 'y' }]);
  const room = queue.room();
  expect(room).toBeInstanceOf(Promise);
  await queue.next();
  await room;
  expect(queue.room()).toBeUndefined();
});

test('what is dropped is never taken, what comes after it is', async () => {
  const { queue, seen } = queueOf();
  queue.push([delta('a')]);
  queue.drop();
  queue.push([delta('b')]);
  expect((await queue.next()).value).toEqual([delta('b')]);
  expect(seen.taken).toEqual([delta('b')]);
});

test('a reader who leaves makes room, takes nothing more, and waits for the end of the send', async () => {
  const { queue, seen } = queueOf();
  queue.push([delta('x'.repeat(MIB)), delta('y')]);
  const room = queue.room();
  await queue.return();
  await room;
  expect(seen).toEqual({ taken: [], left: 1 });
  queue.end();
  await queue.return();
  expect(seen.left).toBe(1);
});
