/** Patience with a server counts only the time in which both run. */
import { expect, test } from 'bun:test';
import { RunningTime } from './support/running-time.ts';

const SECOND = 1_000;

function world() {
  let now = 0;
  const time = new RunningTime(() => now);
  const pass = (ms: number) => {
    now += ms;
    time.beat();
  };
  return { time, pass };
}

test('patience ends when the process has run that long', () => {
  const { time, pass } = world();
  using running = time;
  using patience = running.patience(3 * SECOND);
  for (let second = 0; second < 2; second++) pass(SECOND);
  expect(patience.signal.aborted).toBe(false);
  pass(SECOND);
  expect(patience.signal.aborted).toBe(true);
});

test('a stop of ten minutes uses up no more patience than one beat', () => {
  const { time, pass } = world();
  using running = time;
  using patience = running.patience(3 * SECOND);
  pass(600 * SECOND);
  expect(patience.signal.aborted).toBe(false);
  expect(running.stoppedMs).toBe(599 * SECOND);
  for (let second = 0; second < 2; second++) pass(SECOND);
  expect(patience.signal.aborted).toBe(true);
});

test('an answer in time ends the patience', () => {
  const { time, pass } = world();
  using running = time;
  const patience = running.patience(SECOND);
  patience[Symbol.dispose]();
  pass(SECOND);
  expect(patience.signal.aborted).toBe(false);
});
