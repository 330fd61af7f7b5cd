/** Routes that are loaded at their first request. */
import { describe, expect, test } from 'bun:test';
import { Hono } from 'hono';
import { ClientAddress } from '../../src/http/client-address.ts';
import { LazyApp } from '../../src/http/lazy-app.ts';
import { type HttpEnv, RequestFacts } from '../../src/http/request-facts.ts';

const request = new Request('http://gateway/');
const facts = new RequestFacts(request, undefined, new ClientAddress([]));

/** Fails at the first loads, as often as given. */
function counting(failures: number) {
  const loads = { count: 0 };
  const app = new LazyApp(async () => {
    await Promise.resolve();
    if (++loads.count <= failures) throw new Error('not loaded');
    return new Hono<HttpEnv>().get('/', (c) => c.text('loaded'));
  });
  return { loads, answer: async () => (await app.fetch(request, facts)).text() };
}

describe('routes that are loaded later', () => {
  test('are loaded once, though several requests come at the same time', async () => {
    const { loads, answer } = counting(0);
    expect(await Promise.all([answer(), answer(), answer()])).toEqual([
      'loaded',
      'loaded',
      'loaded',
    ]);
    expect(await answer()).toBe('loaded');
    expect(loads.count).toBe(1);
  });

  test('are loaded at the next request if the load failed', async () => {
    const { loads, answer } = counting(1);
    const ended = await Promise.allSettled([answer(), answer()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await answer()).toBe('loaded');
    expect(loads.count).toBe(2);
  });
});
