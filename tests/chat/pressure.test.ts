/** An overloaded node: which sends it refuses, and from when until when. */
import { describe, expect, test } from 'bun:test';
import { Pressure, QUEUE_SHORT, SUSTAINED_MS } from '../../src/chat/commit/send-commit.ts';

/** The queue accepts no more than this, whatever the pressure. */
const QUEUE_MAX = 4_000;

/** A node that gets this many requests, and does this much work, in each millisecond. */
class Node {
  time = 0;
  queue = 0;
  readonly pressure = new Pressure({ now: () => this.time, monotonic: () => this.time });

  run(ms: number, { started, done }: { started: number; done: number }) {
    let [refused, all, longest] = [0, 0, 0];
    for (const end = this.time + ms; this.time < end; this.time++) {
      for (let i = 0; i < started; i++) {
        all++;
        if (this.pressure.refuses(this.queue) || this.queue >= QUEUE_MAX) refused++;
        else this.queue++;
      }
      longest = Math.max(longest, this.queue);
      this.queue = Math.max(0, this.queue - done);
    }
    return { refused: all === 0 ? 0 : refused / all, longest };
  }
}

describe('pressure', () => {
  test('refuses no send while the node keeps up', () => {
    expect(new Node().run(60_000, { started: 4, done: 4 }).refused).toBe(0);
  });

  test('refuses no send in a burst that is soon processed', () => {
    const node = new Node();
    expect(node.run(1, { started: 1_500, done: 1 }).refused).toBe(0);
    expect(node.run(SUSTAINED_MS, { started: 1, done: 3 }).refused).toBe(0);
    expect(node.run(10_000, { started: 1, done: 3 }).refused).toBe(0);
  });

  for (const times of [2, 5, 10]) {
    test(`at ${times} times the load refuses the excess, and the queue stays short`, () => {
      const node = new Node();
      node.run(10_000, { started: 4 * times, done: 4 });
      const { refused, longest } = node.run(10_000, { started: 4 * times, done: 4 });
      expect(refused).toBeCloseTo(1 - 1 / times, 2);
      expect(longest).toBeLessThanOrEqual(QUEUE_SHORT);
    });
  }

  test('allows a burst to queue again once the load has passed', () => {
    const node = new Node();
    node.run(20_000, { started: 40, done: 4 });
    expect(node.run(SUSTAINED_MS * 2, { started: 1, done: 4 }).refused).toBe(0);
    expect(node.run(1, { started: 1_500, done: 4 }).refused).toBe(0);
  });

  test('allows a burst to queue again after a long pause', () => {
    const node = new Node();
    node.run(20_000, { started: 40, done: 4 });
    node.queue = 0;
    node.time += SUSTAINED_MS * 2;
    expect(node.run(1, { started: 1_500, done: 4 }).refused).toBe(0);
  });

  test('refuses no send on an idle node, whatever happened before', () => {
    const node = new Node();
    node.run(20_000, { started: 40, done: 4 });
    node.queue = 0;
    expect(node.run(1_000, { started: 1, done: 4 }).refused).toBe(0);
  });
});
