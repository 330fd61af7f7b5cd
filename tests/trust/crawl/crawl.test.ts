import { describe, expect, test } from 'bun:test';
import { domainToASCII } from 'node:url';
import type { Database } from '../../../src/db/index.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import { CrawlSightings } from '../../../src/trust/crawl-sightings.ts';
import type { CrawlOptions, CrawlProgress } from '../../../src/trust/crawl/options.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { failure } from '../../support/failure.ts';
import { drawnEdges, drawnPages, drawnSeeds, drawnVisits } from './drawn-web.ts';
import { edgesOf } from './edges.ts';
import { openWeb, page, redirect, type Pages, type Web } from './web.ts';

function options(db: Database, web: Web, seeds: readonly string[]): CrawlOptions {
  const limits = { spacingMs: 0, pollMs: 10 };
  return { db, clock: systemClock, fetch: web.fetcher(), node: 'test', seeds, limits };
}

async function outcomesOf(db: Database): Promise<Record<string, string | null>> {
  const rows = await db.query<{ domain: string; outcome: string | null }>(
    `SELECT domain, outcome FROM crawl_sites WHERE state = 'done' ORDER BY domain`,
  );
  return Object.fromEntries(rows.map(({ domain, outcome }) => [domain, outcome]));
}

test('the drawn web spells its Cyrillic domains correctly', () => {
  expect(domainToASCII('пример.рф')).toBe('xn--e1afmkfd.xn--p1ai');
  expect(domainToASCII('другой.рф')).toBe('xn--c1abqtis.xn--p1ai');
});

for (const dialect of dialects) {
  describe(`${dialect}: crawl`, () => {
    test('finds donors and acceptors of a drawn web exactly, and requests each page once', async () => {
      await using database = await openTestDatabase(dialect);
      await using web = openWeb(drawnPages);
      const { db } = database;
      const reports: CrawlProgress[] = [];
      const summary = await crawl({
        ...options(db, web, drawnSeeds),
        onProgress: (progress) => reports.push(progress),
      });
      expect(await edgesOf(db)).toEqual(drawnEdges.map(([from, to]) => [from, to]));
      const donors = drawnEdges.filter(([, to]) => to === 'alpha.ru').length;
      const acceptors = drawnEdges.filter(([from]) => from === 'alpha.ru').length;
      const sightings = new CrawlSightings(db, systemClock);
      expect(await sightings.of('alpha.ru')).toMatchObject({ donors, acceptors });
      expect(await sightings.of('unknown.ru')).toMatchObject({ donors: 0, acceptors: 0 });
      expect(web.visited()).toEqual(drawnVisits);
      expect(await outcomesOf(db)).toMatchObject({
        'alpha.ru': 'read',
        'gamma.org': 'robots_disallowed',
        'gone.net': 'unreachable',
        'old.info': 'moved',
        'epsilon.info': 'read',
      });
      expect(summary).toMatchObject({ ended: 'complete', sitesActive: 0, sitesWaiting: 0 });
      expect(reports.at(-1)).toMatchObject({ pages: summary.pages, refused: summary.refused });
    });

    test('counts only links without nofollow, ugc and sponsored', async () => {
      await using database = await openTestDatabase(dialect);
      const links = ['http://b.ru/', 'http://b.ru/2', 'http://b.ru/ nofollow', 'http://c.ru/ ugc'];
      const pages = {
        'a.ru/': page(...links, '/2'),
        'a.ru/2': page('http://b.ru/ sponsored nofollow', 'http://b.ru/'),
      };
      await using web = openWeb(pages);
      await crawl(options(database.db, web, ['a.ru']));
      const rows = await database.db.query(
        `SELECT t.domain, links FROM crawl_links JOIN crawl_sites t ON t.id = to_id
         ORDER BY t.domain`,
      );
      expect(rows).toEqual([
        { domain: 'b.ru', links: 3 },
        { domain: 'c.ru', links: 0 },
      ]);
      const sightings = new CrawlSightings(database.db, systemClock);
      expect(await sightings.of('c.ru')).toMatchObject({ donors: 0 });
      // No page links to it with trust, so it is not crawled.
      expect(await outcomesOf(database.db)).not.toHaveProperty('c.ru');
    });

    test('stops at the number of pages, and the next run resumes', async () => {
      await using database = await openTestDatabase(dialect);
      await using web = openWeb(drawnPages);
      const first = await crawl({ ...options(database.db, web, drawnSeeds), pagesMax: 5 });
      expect(first).toMatchObject({ ended: 'pages', pages: 5 });
      const second = await crawl(options(database.db, web, []));
      expect(second.ended).toBe('complete');
      expect(web.visited()).toEqual(drawnVisits);
      expect(await edgesOf(database.db)).toEqual(drawnEdges.map(([from, to]) => [from, to]));
    });

    test('reads a site again only after a while, and then deletes links that are gone', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const pages: Record<string, string> = { 'a.ru/': page('http://b.ru/', 'http://c.ru/') };
      await using web = openWeb(pages, systemClock, ['b.ru', 'c.ru']);
      await crawl(options(db, web, ['a.ru']));
      await crawl(options(db, web, ['a.ru']));
      expect(web.visited()).toEqual(['a.ru/', 'b.ru/', 'c.ru/']);
      pages['a.ru/'] = page('http://c.ru/');
      const now = () => Date.now() + 40 * 24 * 3_600_000;
      await crawl({ ...options(db, web, ['a.ru']), clock: { ...systemClock, now } });
      expect(await edgesOf(db)).toEqual([['a.ru', 'c.ru']]);
      const rows = await db.query('SELECT links FROM crawl_links');
      expect(rows).toEqual([{ links: 1 }]);
    });

    test('keeps the links of a site that is down', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const pages: Pages = { 'a.ru/': page('http://b.ru/') };
      await using web = openWeb(pages);
      await crawl(options(db, web, ['a.ru']));
      await using down = openWeb({ 'a.ru/*': () => new Response('', { status: 500 }) });
      const now = () => Date.now() + 40 * 24 * 3_600_000;
      await crawl({ ...options(db, down, ['a.ru']), clock: { ...systemClock, now } });
      expect(await outcomesOf(db)).toMatchObject({ 'a.ru': 'robots_unreachable' });
      expect(await edgesOf(db)).toEqual([['a.ru', 'b.ru']]);
    });

    test('follows redirects and refreshes, each page once', async () => {
      await using database = await openTestDatabase(dialect);
      await using web = openWeb({
        'a.ru/': redirect('/home'),
        'a.ru/home': page('/', '/loop', '/back'),
        'a.ru/loop': redirect('/loop'),
        'a.ru/back': redirect('/home'),
        'b.ru/': '<meta http-equiv="refresh" content="0; url=http://c.ru/"><title>b</title>',
        'c.ru/': page(),
      });
      await crawl(options(database.db, web, ['a.ru', 'b.ru']));
      expect(web.visited()).toEqual([
        'a.ru/',
        'a.ru/back',
        'a.ru/home',
        'a.ru/loop',
        'b.ru/',
        'c.ru/',
      ]);
      expect(await edgesOf(database.db)).toEqual([]);
    });

    test('ends in order when aborted, with no site left claimed', async () => {
      await using database = await openTestDatabase(dialect);
      await using web = openWeb(drawnPages);
      const stop = new AbortController();
      const summary = await crawl({
        ...options(database.db, web, drawnSeeds),
        signal: stop.signal,
        onPage: () => stop.abort(),
      });
      expect(summary.ended).toBe('stopped');
      const left = await database.db.query(`SELECT id FROM crawl_sites WHERE state = 'claimed'`);
      expect(left).toEqual([]);
      expect(await database.db.query('SELECT id FROM crawl_nodes')).toEqual([]);
    });

    test('refuses a limit of no pages', async () => {
      await using database = await openTestDatabase(dialect);
      await using web = openWeb({});
      const refused = await failure(crawl({ ...options(database.db, web, ['a.ru']), pagesMax: 0 }));
      expect(refused).toMatchObject({ code: 'invalid_request', details: [{ path: 'pages' }] });
    });
  });
}
