/** A stopping server: which requests it still answers, and when it sends its last answer. */
import { expect, test } from 'bun:test';
import { Drain } from '../../src/http/drain.ts';
import { openGateway } from '../support/gateway.ts';

const STOPPING = 'the server is stopping';

test.each([
  ['/healthz', 200, '"ok"'],
  ['/readyz?verbose', 503, '"not ready"'],
  ['/metrics', 200, 'zastava_holds_open'],
])('a stopping server still answers %s: %p', async (path, status, words) => {
  await using gateway = await openGateway('sqlite');
  await gateway.app.stop(0);
  const response = await gateway.fetch(path);
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(words);
});

test.each(['/metrics-of-mine', '/ai/models/', '/ai/?next=http://a/healthz'])(
  'a stopping server refuses %s',
  async (path) => {
    await using gateway = await openGateway('sqlite');
    await gateway.app.stop(0);
    const response = await gateway.fetch(path);
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining(STOPPING),
    ]);
    expect(response.headers.get('retry-after')).toBe('1');
  },
);

test('a server is idle after its last answer, or at once if nothing is running', async () => {
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

test('draining ends after the given time', async () => {
  const drain = new Drain();
  drain.begin();
  expect(await drain.idle(1)).toBeUndefined();
});
