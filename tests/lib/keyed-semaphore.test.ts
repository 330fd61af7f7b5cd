import { expect, test } from 'bun:test';
import { KeyedSemaphore } from '../../src/lib/keyed-semaphore.ts';
import { failure } from '../support/failure.ts';

const full = () => new Error('full');

test('a semaphore by name limits running and waiting callers, and forgets unused names', async () => {
  const semaphore = new KeyedSemaphore(1, 1);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  const under = (name: string, task: string) =>
    semaphore.run(
      name,
      async () => {
        order.push(task);
        await held;
      },
      full,
    );
  const running = [under('a', 'first'), under('a', 'second'), under('b', 'other')];
  expect(String(await failure(under('a', 'too many')))).toBe('Error: full');
  expect(order).toEqual(['first', 'other']);
  release();
  await Promise.all(running);
  expect(order).toEqual(['first', 'other', 'second']);
  await semaphore.run('a', () => Promise.reject(new Error('failed')), full).catch(() => undefined);
  await under('a', 'again');
  expect(order.at(-1)).toBe('again');
});
