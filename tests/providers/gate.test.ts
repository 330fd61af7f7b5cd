import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NotSentError } from '../../src/providers/index.ts';
import {
  Gate,
  GATE_QUEUE_MAX,
  GATE_WAIT_MAX_MS,
  type GateLimits,
} from '../../src/providers/routing/gate.ts';
import { running } from './fixtures.ts';

/** A clock that the test moves by hand, with its pending timers. */
class HandTime {
  now = 0;
  #timers: { at: number; work: () => void }[] = [];

  readonly monotonic = (): number => this.now;
  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.now + ms, work };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((each) => each !== timer));
  };

  /** Moves the time forward, and runs the timers that are due in their order. */
  async forward(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.now = Math.max(this.now, next.at);
      this.#timers = this.#timers.filter((each) => each !== next);
      next.work();
      await settled();
    }
    this.now = end;
    await settled();
  }
}

/** Lets every promise that can continue do so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function open(limits: Partial<GateLimits>) {
  const time = new HandTime();
  const gate = new Gate(
    { maxConcurrent: undefined, maxRequestsPerMinute: undefined, ...limits },
    time,
  );
  const log: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (name: string, signal = running()): Promise<void> => {
    try {
      leaves.set(name, await gate.enter(signal));
      log.push(`${name} in`);
    } catch (error) {
      const why =
        error instanceof NotSentError ? `${error.reason} ${error.retryAfterSeconds}` : '?';
      log.push(`${name} ${why}`);
    }
  };
  return { time, gate, log, enter, leave: (name: string) => leaves.get(name)?.() };
}

describe('concurrent calls', () => {
  test('wait for a place in order', async () => {
    const { log, enter, leave } = open({ maxConcurrent: 2 });
    await Promise.all([enter('a'), enter('b')]);
    for (const name of ['c', 'd']) void enter(name);
    await settled();
    expect(log).toEqual(['a in', 'b in']);
    leave('b');
    // A place is given back once, however often it is released.
    leave('b');
    await settled();
    expect(log.slice(2)).toEqual(['c in']);
    leave('a');
    await settled();
    expect(log.slice(3)).toEqual(['d in']);
  });

  test('stop waiting once they have a place', async () => {
    const { time, log, enter, leave } = open({ maxConcurrent: 1 });
    await enter('a');
    void enter('b');
    await settled();
    leave('a');
    await time.forward(GATE_WAIT_MAX_MS - 1);
    void enter('c');
    // The timer for `b` must not push `c` out of the queue.
    await time.forward(1);
    leave('b');
    await settled();
    expect(log).toEqual(['a in', 'b in', 'c in']);
  });

  test('are refused after the longest wait, and leave the queue', async () => {
    const { time, log, enter, leave } = open({ maxConcurrent: 1 });
    await enter('a');
    void enter('b');
    await time.forward(GATE_WAIT_MAX_MS - 1);
    expect(log).toEqual(['a in']);
    await time.forward(1);
    expect(log).toEqual(['a in', 'b limited 1']);
    leave('a');
    await enter('c');
    expect(log.at(-1)).toBe('c in');
  });

  test('that are stopped while they wait leave the queue', async () => {
    const { log, enter, leave } = open({ maxConcurrent: 1 });
    await enter('a');
    const caller = new AbortController();
    void enter('b', caller.signal);
    void enter('c');
    caller.abort();
    leave('a');
    await settled();
    expect(log).toEqual(['a in', 'b ?', 'c in']);
    await enter('d', AbortSignal.abort());
    expect(log.at(-1)).toBe('d ?');
  });

  test('whose deadline passes in the queue were never sent', async () => {
    const { log, enter } = open({ maxConcurrent: 1 });
    await enter('a');
    const deadline = new AbortController();
    void enter('b', deadline.signal);
    deadline.abort(new DOMException('late', 'TimeoutError'));
    await settled();
    expect(log).toEqual(['a in', 'b limited 1']);
  });

  test('are refused at once if the queue is full', async () => {
    const { log, enter } = open({ maxConcurrent: 1 });
    await enter('a');
    for (let i = 0; i < GATE_QUEUE_MAX; i++) void enter('in line');
    await enter('b');
    expect(log).toEqual(['a in', 'b limited 1']);
  });
});

describe('calls per minute', () => {
  test('wait if the wait is short, and are refused with its length if it is not', async () => {
    const { time, log, enter } = open({ maxRequestsPerMinute: 2 });
    await enter('a');
    await time.forward(30_000);
    await enter('b');
    await enter('c');
    expect(log.at(-1)).toBe('c limited 30');
    await time.forward(26_000);
    void enter('d');
    // The second in the queue would wait for the minute of `b`.
    await enter('e');
    expect(log.at(-1)).toBe('e limited 34');
    await time.forward(3_999);
    expect(log).not.toContain('d in');
    await time.forward(1);
    expect(log.at(-1)).toBe('d in');
  });

  test('are not overtaken by one that arrives when a place has just become free', async () => {
    const { time, log, enter } = open({ maxRequestsPerMinute: 1 });
    await enter('a');
    await time.forward(58_000);
    void enter('b');
    await settled();
    // The timer that lets `b` in is due, but has not run yet.
    time.now = 60_000;
    await enter('c');
    await time.forward(0);
    expect(log).toEqual(['a in', 'c limited 60', 'b in']);
  });

  test('behind as many waiting calls as the limit also get a time', async () => {
    const { time, log, enter } = open({ maxRequestsPerMinute: 1 });
    await enter('a');
    await time.forward(57_000);
    void enter('b');
    // `b` begins in 3 s, and its minute is over 60 s later.
    await enter('c');
    expect(log.at(-1)).toBe('c limited 63');
  });

  test('never exceed the limit within any 60 seconds', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (limit, pauses) => {
        const { time, gate } = open({ maxRequestsPerMinute: limit, maxConcurrent: 3 });
        const begun: number[] = [];
        for (const pause of pauses) {
          await time.forward(pause);
          void gate.enter(running()).then(
            (leave) => {
              begun.push(time.now);
              return time.after(7_000, leave);
            },
            () => undefined,
          );
          await settled();
        }
        await time.forward(120_000);
        for (const [index, start] of begun.entries()) {
          const inMinute = begun.slice(index).filter((at) => at < start + 60_000).length;
          expect(inMinute).toBeLessThanOrEqual(limit);
          const atOnce = begun.filter((at) => at <= start && at > start - 7_000).length;
          expect(atOnce).toBeLessThanOrEqual(Math.min(3, limit));
        }
      }),
      { numRuns: 50 },
    );
  });
});
