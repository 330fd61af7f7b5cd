import { describe, expect, test } from 'bun:test';
import type { RequestListener } from 'node:http';
import {
  ROBOTS_LIFETIME_MS,
  ROBOTS_UNREACHABLE_LIFETIME_MS,
  type RobotsVerdict,
} from '../../../src/trust/page/robots.ts';
import { createWorld, reasonOf } from './world.ts';

const DISALLOW = 'User-agent: *\nDisallow: /';

function robotsSite(status: number, text: string): RequestListener {
  return (_, response) => response.writeHead(status).end(text);
}

const home = new URL('http://a.example/');

describe('robots.txt', () => {
  test.each<[number, string, RobotsVerdict['refusal']]>([
    [200, DISALLOW, 'robots_disallowed'],
    [200, '', null],
    [200, '<html>Not found</html>', null],
    [204, '', null],
    [401, DISALLOW, null],
    [403, DISALLOW, null],
    [404, DISALLOW, null],
    [429, DISALLOW, null],
    [500, '', 'robots_unreachable'],
    [503, '', 'robots_unreachable'],
  ])('with status %i is judged by RFC 9309', async (status, text, refusal) => {
    await using world = createWorld();
    await world.serve('a.example', robotsSite(status, text));
    world.start();
    expect(await world.robots.check(home)).toEqual({ refusal, crawlDelaySeconds: null });
    expect(world.requests).toEqual(['a.example /robots.txt']);
  });

  test('is unreachable when no server answers, or not in time', async () => {
    await using world = createWorld();
    await world.serveRaw('slow.example', () => {});
    world.start({ headersTimeoutMs: 30 });
    for (const [host, reason] of [
      ['none.example', 'dns'],
      ['slow.example', 'robots_unreachable'],
    ]) {
      const verdict = await world.robots.check(new URL(`http://${host}/`));
      expect(verdict.refusal).toBe(reason as never);
    }
  });

  test('is read through redirects, also to another host; a redirect loop means no rules', async () => {
    await using world = createWorld();
    await world.serve('a.example', (_, response) => {
      response.writeHead(301, { location: 'http://b.example/robots.txt' }).end();
    });
    await world.serve('b.example', robotsSite(200, DISALLOW));
    await world.serve('c.example', (_, response) => {
      response.writeHead(301, { location: 'http://c.example/robots.txt' }).end();
    });
    world.start();
    expect((await world.robots.check(home)).refusal).toBe('robots_disallowed');
    expect((await world.robots.check(new URL('http://c.example/'))).refusal).toBeNull();
  });

  test('is denied when it redirects to a private address, to which nothing connects', async () => {
    await using world = createWorld();
    await world.serve('a.example', (_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
    });
    world.start();
    expect(await world.robots.check(home)).toMatchObject({ refusal: 'denied_address' });
  });

  test('counts up to its first 500 KiB', async () => {
    await using world = createWorld();
    const padding = '# comment\n'.repeat(60_000);
    await world.serve('a.example', robotsSite(200, `${DISALLOW}\n${padding}`));
    await world.serve('b.example', robotsSite(200, `${padding}${DISALLOW}`));
    world.start();
    expect((await world.robots.check(home)).refusal).toBe('robots_disallowed');
    expect((await world.robots.check(new URL('http://b.example/'))).refusal).toBeNull();
  });

  test('is requested once per origin while it is cached', async () => {
    await using world = createWorld();
    let status = 200;
    await world.serve('a.example', (_, response) => response.writeHead(status).end(DISALLOW));
    world.start();
    const checks = Array.from({ length: 10 }, (_, index) =>
      world.robots.check(new URL(`http://a.example/${index}`)),
    );
    for (const { refusal } of await Promise.all(checks)) expect(refusal).toBe('robots_disallowed');
    world.clock.time += ROBOTS_LIFETIME_MS - 1;
    await world.robots.check(home);
    expect(world.requests.length).toBe(1);
    world.clock.time += 1;
    status = 500;
    expect((await world.robots.check(home)).refusal).toBe('robots_unreachable');
    expect(world.requests.length).toBe(2);
    world.clock.time += ROBOTS_UNREACHABLE_LIFETIME_MS;
    status = 404;
    expect((await world.robots.check(home)).refusal).toBeNull();
  });

  test("stays undecided while the site's request budget is used up", async () => {
    await using world = createWorld();
    await world.serve('a.example', robotsSite(404, ''));
    world.start({ siteBudgetRequests: 0 });
    expect(await reasonOf(world.robots.check(home))).toBe('site_budget');
    expect(world.requests).toEqual([]);
  });
});
