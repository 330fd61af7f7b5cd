/** Routes that are loaded at their first request. */
import { describe, expect, test } from 'bun:test';
import { ClientAddress } from '../../src/http/client-address.ts';
import { createHttpApp } from '../../src/http/http-app.ts';
import { LazyApp } from '../../src/http/lazy-app.ts';
import { nothingAt } from '../../src/http/nothing-at.ts';
import { RequestFacts } from '../../src/http/request-facts.ts';

const request = new Request('http://gateway/', { headers: { origin: 'https://page.example' } });
const facts = new RequestFacts(request, undefined, new ClientAddress([]));

/** Fails at the first loads, as often as given. */
function counting(failures: number) {
  const loads = { count: 0 };
  const corsOrigins = ['https://page.example'];
  const create = () =>
    createHttpApp({ corsOrigins, legacyCharset: undefined, otherwise: nothingAt });
  const app = new LazyApp(create, async (to) => {
    await Promise.resolve();
    if (++loads.count <= failures) throw new Error('not loaded');
    to.get('/', (c) => c.text('loaded'));
  });
  const response = async () => app.fetch(request, facts);
  return { loads, response, answer: async () => (await response()).text() };
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
    const { loads, answer, response } = counting(1);
    const failed = await Promise.all([response(), response()]);
    expect(failed.map(({ status }) => status)).toEqual([500, 500]);
    expect(await answer()).toBe('loaded');
    expect(loads.count).toBe(2);
  });

  test('answer a failed load as any other internal error, also to a page of another origin', async () => {
    const failed = await counting(1).response();
    expect(failed.headers.get('access-control-allow-origin')).toBe('https://page.example');
    expect(await failed.json()).toMatchObject({
      error: { code: 'internal_error' },
      request_id: facts.requestId,
    });
  });
});
