import { expect, test } from 'bun:test';
import type { CrawlLimits } from '../../../src/trust/crawl/limits.ts';
import { CRAWL_LIMITS } from '../../../src/trust/crawl/limits.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { Timeline } from './timeline.ts';
import { openWeb, page, redirect, type Hit, type Pages } from './web.ts';

/**
 * Crawls on a clock that only sleeping moves.
 * @returns the requests, in their order
 */
async function hitsOf(
  pages: Pages,
  seeds: string[],
  limits: Partial<CrawlLimits> = {},
): Promise<Hit[]> {
  const clock = new Timeline();
  await using database = await openTestDatabase('sqlite');
  await using web = openWeb(pages, clock);
  const { sleep } = clock;
  const { db } = database;
  await crawl({ db, clock, sleep, seeds, limits, node: 'test', fetch: web.fetcher() });
  return web.hits;
}

function gapsOf(hits: readonly Hit[]): number[] {
  return hits.slice(1).map(({ at }, index) => at - (hits[index]?.at ?? 0));
}

const paths = Array.from({ length: 8 }, (_, index) => `/${index}`);

test('requests to one site are spaced, across its hosts', async () => {
  const hits = await hitsOf(
    {
      'a.ru/': page(...paths, 'http://www.a.ru/', 'http://blog.a.ru/'),
      'www.a.ru/': page(),
      'blog.a.ru/': page(),
      ...Object.fromEntries(paths.map((path) => [`a.ru${path}`, page()])),
    },
    ['a.ru'],
  );
  // Three of the requests are for robots.txt.
  expect(hits).toHaveLength(1 + paths.length + 2 + 3);
  expect(Math.min(...gapsOf(hits))).toBeGreaterThanOrEqual(CRAWL_LIMITS.spacingMs);
});

test('redirects within a site are spaced too', async () => {
  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
  const hits = await hitsOf({ 'a.ru/': to('/1'), 'a.ru/1': to('/2'), 'a.ru/2': page() }, ['a.ru']);
  expect(hits.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/1', '/2']);
  expect(Math.min(...gapsOf(hits))).toBeGreaterThanOrEqual(CRAWL_LIMITS.spacingMs);
});

test('a site does not wait for another', async () => {
  const seeds = Array.from({ length: 20 }, (_, index) => `site${index}.ru`);
  const hits = await hitsOf(Object.fromEntries(seeds.map((seed) => [`${seed}/`, page()])), seeds);
  expect(hits).toHaveLength(2 * seeds.length);
  // One after the other, robots.txt, delays and home pages would take twenty delays.
  const last = Math.max(...hits.map(({ at }) => at));
  expect(last).toBeLessThan(10 * CRAWL_LIMITS.spacingMs);
});

test('a crawl delay is obeyed up to the limit', async () => {
  const site = (delay: string) => ({
    'a.ru/robots.txt': `User-agent: *\nCrawl-delay: ${delay}\n`,
    'a.ru/': page('/1', '/2', '/3'),
    'a.ru/1': page(),
    'a.ru/2': page(),
    'a.ru/3': page(),
  });
  const gaps = async (delay: string) => gapsOf(await hitsOf(site(delay), ['a.ru']));
  expect(Math.min(...(await gaps('7')))).toBeGreaterThanOrEqual(7_000);
  const absurd = await gaps('86400');
  expect(Math.min(...absurd)).toBeGreaterThanOrEqual(CRAWL_LIMITS.crawlDelayMsMax);
  expect(Math.max(...absurd)).toBeLessThan(3 * CRAWL_LIMITS.crawlDelayMsMax);
});

test('of the delays of several hosts, the longest holds for the site', async () => {
  const hits = await hitsOf(
    {
      'a.ru/robots.txt': 'User-agent: *\nCrawl-delay: 9\n',
      'a.ru/': page('http://www.a.ru/1', 'http://www.a.ru/2'),
      'www.a.ru/robots.txt': 'User-agent: *\nCrawl-delay: 2\n',
      'www.a.ru/1': page(),
      'www.a.ru/2': page(),
    },
    ['a.ru'],
  );
  expect(hits).toHaveLength(5);
  expect(Math.min(...gapsOf(hits))).toBeGreaterThanOrEqual(9_000);
});

test('a robots.txt on another site is requested at the pace of that site', async () => {
  const seeds = Array.from({ length: 6 }, (_, index) => `a${index}.ru`);
  const hub = redirect('http://hub.ru/robots.txt');
  const hits = await hitsOf(
    {
      ...Object.fromEntries(
        seeds.flatMap((seed) => [
          [`${seed}/robots.txt`, hub],
          [`${seed}/`, page()],
        ]),
      ),
      'hub.ru/robots.txt': 'User-agent: *\nDisallow: /no\n',
      'hub.ru/': page('/1', '/2'),
      'hub.ru/1': page(),
      'hub.ru/2': page(),
    },
    [...seeds, 'hub.ru'],
  );
  const atHub = hits.filter(({ host }) => host === 'hub.ru');
  expect(atHub).toHaveLength(seeds.length + 4);
  expect(Math.min(...gapsOf(atHub))).toBeGreaterThanOrEqual(CRAWL_LIMITS.spacingMs);
  expect(hits).toHaveLength(3 * seeds.length + 4);
});

test('the home page is read at www if the bare domain does not serve it', async () => {
  const no = (status: number) => () => new Response('', { status });
  const hits = await hitsOf(
    {
      'a.ru/': no(403),
      'www.a.ru/': page(),
      'b.ru/': no(429),
      'www.b.ru/': page(),
      'c.ru/robots.txt': no(500),
      'www.c.ru/': page(),
    },
    ['a.ru', 'b.ru', 'c.ru'],
  );
  const homes = hits.filter(({ path }) => path === '/').map(({ host }) => host);
  expect(homes.sort()).toEqual(['a.ru', 'b.ru', 'www.a.ru', 'www.c.ru']);
});

test('robots.txt is requested first and obeyed; while it is unreachable, nothing is requested', async () => {
  const hits = await hitsOf(
    {
      'a.ru/robots.txt': 'User-agent: *\nDisallow: /private\nAllow: /private/open\n',
      'a.ru/': page('/private', '/private/x', '/private/open', '/free'),
      'a.ru/private': page(),
      'a.ru/private/x': page(),
      'a.ru/private/open': page('http://never.ru/'),
      'a.ru/free': page(),
      'closed.ru/robots.txt': 'User-agent: zastavabot\nDisallow: /\n',
      'closed.ru/': page(),
      'ill.ru/robots.txt': () => new Response('', { status: 503 }),
      'ill.ru/': page(),
    },
    ['a.ru', 'closed.ru', 'ill.ru'],
  );
  const pathsOf = (host: string) => hits.filter((hit) => hit.host === host).map(({ path }) => path);
  expect(pathsOf('a.ru')).toEqual(['/robots.txt', '/', '/private/open', '/free']);
  expect(pathsOf('closed.ru')).toEqual(['/robots.txt']);
  expect(pathsOf('ill.ru')).toEqual(['/robots.txt']);
});

test('an overloaded server gets no more requests', async () => {
  const enough = () => new Response('', { status: 429 });
  const hits = await hitsOf(
    { 'a.ru/': page('/1', '/2', '/3'), 'a.ru/1': enough, 'a.ru/2': page(), 'a.ru/3': page() },
    ['a.ru'],
  );
  expect(hits.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/1']);
});

test('home pages of the seeds come first, then their other pages, then what they link to', async () => {
  const hits = await hitsOf(
    {
      'a.ru/': page('/1', 'http://c.ru/'),
      'a.ru/1': page('http://d.ru/'),
      'b.ru/': page('/1'),
      'b.ru/1': page('http://c.ru/'),
      'c.ru/': page('/1', 'http://e.ru/'),
      'c.ru/1': page(),
      'd.ru/': page(),
      'e.ru/': page(),
    },
    ['a.ru', 'b.ru'],
    // One at a time, so that the order shows.
    { sitesAtOnce: 1 },
  );
  const order = hits.filter(({ path }) => path !== '/robots.txt').map((hit) => hit.host + hit.path);
  const ranks = [
    ['a.ru/', 'b.ru/'],
    ['a.ru/1', 'b.ru/1'],
    ['c.ru/', 'd.ru/'],
    ['c.ru/1'],
    ['e.ru/'],
  ];
  let at = 0;
  for (const rank of ranks) {
    expect(order.slice(at, at + rank.length).sort()).toEqual(rank);
    at += rank.length;
  }
  expect(order).toHaveLength(at);
});
