/** The write queue of an overloaded node: what it refuses, and what it never refuses. */
import { describe, expect, test } from 'bun:test';
import type { HoldCommand, SettleCommand } from '../../src/chat/commit/commands.ts';
import { LONG_TEXT_CHARS, SendCommit, SUSTAINED_MS } from '../../src/chat/commit/send-commit.ts';
import type { Database } from '../../src/db/index.ts';
import { DomainError } from '../../src/lib/errors.ts';

const hold = { kind: 'hold', systemPrompt: '', request: 'Hi' } as HoldCommand;
const settle = { kind: 'settle', response: 'Hello' } as SettleCommand;
/** The most commands that one transaction takes. */
const BATCH = 128;

/** A `SendCommit` with its own clock, on a database whose transactions end when the test decides. */
function slow() {
  const state = { now: 0, refused: 0, done: 0 };
  const running: (() => void)[] = [];
  const results = Array.from({ length: BATCH }, () => ({}));
  const transaction = () =>
    new Promise<unknown[]>((resolve) => running.push(() => resolve(results)));
  const clock = { now: () => state.now, monotonic: () => state.now };
  const commit = new SendCommit({ transaction } as unknown as Database, clock, () => undefined);
  const send = (): void => {
    commit.hold(hold).then(
      () => state.done++,
      (error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'overloaded')) throw error;
        state.refused++;
      },
    );
  };
  /** Ends everything that runs, and what starts then, until nothing is left. */
  const work = async () => {
    const idle = commit.idle().then(() => true);
    const turn = () => settled().then(() => false);
    do for (const end of running.splice(0)) end();
    while (!(await Promise.race([idle, turn()])));
  };
  return { commit, state, send, work };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a long text', () => {
  test('is written in a transaction of its own, without the commands queued beside it', async () => {
    const sizes: number[] = [];
    const transaction = () => Promise.resolve([{}, {}, {}]);
    const db = { transaction } as unknown as Database;
    const clock = { now: () => 0, monotonic: () => 0 };
    const commit = new SendCommit(db, clock, (size) => sizes.push(size));
    const text = 'a'.repeat(LONG_TEXT_CHARS + 1);
    const instructed = { ...hold, systemPrompt: text };
    const answered = { ...settle, response: text };
    const long = [commit.hold({ ...hold, request: text }), commit.hold(instructed)];
    await Promise.all([
      ...long,
      commit.settle(answered),
      commit.settle({ ...settle, keptAnswer: text }),
      commit.hold(hold),
      commit.settle(settle),
      commit.hold(hold),
    ]);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 3]);
  });
});

describe('a node that does not keep up', () => {
  test('takes a burst up to the length of its queue', async () => {
    const { state, send, work } = slow();
    send();
    // The first one is already in a transaction.
    for (let turn = 0; turn < 10; turn++) await settled();
    for (let i = 0; i < 10_001; i++) send();
    await settled();
    expect(state.refused).toBe(1);
    await work();
    expect([state.refused, state.done]).toEqual([1, 10_001]);
  });

  test('refuses new sends while its queue stays long, but never a settle', async () => {
    const { commit, state, send, work } = slow();
    const step = async (sends: number) => {
      state.now += 100;
      for (let i = 0; i < sends; i++) send();
      await settled();
    };
    for (let i = 0; i < 3 * BATCH; i++) send();
    for (let ms = 0; ms < 2 * SUSTAINED_MS; ms += 100) await step(1);
    expect(state.refused).toBeGreaterThan(0);
    const before = state.refused;
    await step(10);
    expect(state.refused).toBe(before + 10);
    const answered = commit.settle(settle);
    await work();
    await answered;
    // Nothing waits now: the next commands are accepted at once, although the load was high a moment ago.
    await step(10);
    expect(state.refused).toBe(before + 10);
    await work();
  });
});
