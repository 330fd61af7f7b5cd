import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Semaphore } from '../../src/lib/semaphore.ts';

const full = () => new Error('full');

test('a semaphore never runs more than its permits, runs accepted callers in order, refuses the rest', async () => {
  const parameters = fc.record({
    permits: fc.integer({ min: 1, max: 4 }),
    queueMax: fc.nat({ max: 5 }),
    // true: the task fails
    tasks: fc.array(fc.boolean(), { maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(parameters, async ({ permits, queueMax, tasks }) => {
      const semaphore = new Semaphore(permits, queueMax);
      let running = 0;
      const started: number[] = [];
      const outcomes = await Promise.allSettled(
        tasks.map((fails, index) =>
          semaphore.run(async () => {
            started.push(index);
            running++;
            expect(running).toBeLessThanOrEqual(permits);
            await Promise.resolve();
            running--;
            if (fails) throw new Error('failed');
            return index;
          }, full),
        ),
      );
      const accepted = Math.min(tasks.length, permits + queueMax);
      expect(started).toEqual(Array.from({ length: accepted }, (_, index) => index));
      outcomes.forEach((outcome, index) => {
        const refused = index >= accepted;
        expect(outcome.status).toBe(refused || tasks[index] ? 'rejected' : 'fulfilled');
        if (outcome.status === 'rejected') {
          expect(outcome.reason.message).toBe(refused ? 'full' : 'failed');
        }
      });
      // Every permit was returned, those of failed tasks as well.
      const again = Array.from({ length: permits }, () => semaphore.run(async () => 1, full));
      expect(await Promise.all(again)).toHaveLength(permits);
    }),
  );
});

test('lanes take turns, and each has a queue of its own', async () => {
  const semaphore = new Semaphore(1, 3);
  const started: string[] = [];
  const task = (name: string, lane: string) =>
    semaphore.run(() => Promise.resolve(started.push(name)), full, lane);
  const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => task(name, 'a'));
  const others = ['b1', 'b2'].map((name) => task(name, 'b'));
  const refused = (await Promise.allSettled(flood)).map(({ status }) => status === 'rejected');
  await Promise.all(others);
  expect(refused).toEqual([false, false, false, false, true]);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});
