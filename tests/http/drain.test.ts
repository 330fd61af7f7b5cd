/** A stopping server: what it still answers, and when its last answer is out. */
import { expect, test } from 'bun:test';
import { Drain } from '../../src/http/drain.ts';

test.each([
  ['http://a/healthz', true],
  ['http://a/readyz?verbose', true],
  ['http://a/metrics', true],
  ['http://a/metrics-of-mine', false],
  ['http://a/ai/models/', false],
  ['http://a/ai/?next=http://a/healthz', false],
])('a stopping server answers %s: %p', (url, answers) => {
  const drain = new Drain();
  expect(drain.refusal(new Request(url))).toBeUndefined();
  drain.stop();
  const refusal = drain.refusal(new Request(url));
  if (answers) expect(refusal).toBeUndefined();
  else expect(refusal).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
});

test('it is idle with the last answer, and at once where there is nothing to wait for', async () => {
  const drain = new Drain();
  const hour = 3_600_000;
  await drain.idle(hour);
  drain.begin();
  drain.begin();
  let isIdle = false;
  const idle = drain.idle(hour).then(() => (isIdle = true));
  drain.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIdle).toBe(false);
  drain.end();
  expect(await idle).toBe(true);
});

test('it waits no longer than it is told to', async () => {
  const drain = new Drain();
  drain.begin();
  expect(await drain.idle(1)).toBeUndefined();
});
