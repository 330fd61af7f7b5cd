import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../../src/lib/clock.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import type { CrawlLimits } from '../../../src/trust/crawl/limits.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { openWeb, page, type Web } from './web.ts';

const limits = { spacingMs: 0, pollMs: 10, retryMs: 0 };

async function crawlAlone(
  web: Web,
  db: Parameters<typeof crawl>[0]['db'],
  seed: string,
  more: Partial<CrawlLimits>,
) {
  return crawl({
    db,
    clock: systemClock,
    fetch: web.fetcher(),
    node: 'test',
    seeds: [seed],
    limits: { ...limits, ...more },
  });
}

async function count(db: Parameters<typeof crawl>[0]['db'], from: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`SELECT COUNT(*) AS count FROM ${from}`);
  return row?.count ?? 0;
}

for (const dialect of dialects) {
  describe(`${dialect}: hostile sites`, () => {
    test('a million links to as many domains add only what one site may add', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const million = Array.from({ length: 1_000_000 }, (_, n) => `<a href=//n${n}.ru>x</a>`);
      const html = `<!doctype html>${million.join('')}`;
      await using web = openWeb({ 'farm.ru/': html, 'farm.ru/2': html });
      const bounds = { acceptorsPerSiteMax: 300, newSitesPerSiteMax: 20 };
      const summary = await crawlAlone(web, db, 'farm.ru', bounds);
      expect(summary.ended).toBe('complete');
      expect(await count(db, 'crawl_links')).toBe(300);
      expect(await count(db, `crawl_sites WHERE round > 0`)).toBe(1 + 20);
    });

    test('the number of domains is limited, and links to known ones still count', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const links = Array.from({ length: 50 }, (_, n) => `http://n${n}.ru/`);
      await using web = openWeb({
        'a.ru/': page(...links),
        'b.ru/': page('http://a.ru/', ...links),
      });
      const bounds = { sitesMax: 11 };
      await crawlAlone(web, db, 'a.ru', bounds);
      await crawlAlone(web, db, 'b.ru', bounds);
      expect(await count(db, 'crawl_sites')).toBe(11);
      expect(await count(db, 'crawl_links')).toBe(10);
    });

    test('endless invented pages and host names are limited', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const hosts = Array.from({ length: 60 }, (_, n) => `h${n}.trap.ru`);
      let made = 0;
      const trap = () => {
        const links = hosts.map((host) => `http://${host}/${++made}`);
        const more = Array.from({ length: 100 }, () => `/${++made}`);
        return new Response(page(...links, ...more), { headers: { 'content-type': 'text/html' } });
      };
      const pages = Object.fromEntries(['trap.ru', ...hosts].map((host) => [`${host}/*`, trap]));
      await using web = openWeb({ ...pages, 'trap.ru/robots.txt': '', 'trap.ru/': trap });
      const bounds = { hostsPerSiteMax: 7, perSitePagesMax: 30 };
      const summary = await crawlAlone(web, db, 'trap.ru', bounds);
      const fetched = web.hits.filter(({ path }) => path !== '/robots.txt');
      expect(fetched).toHaveLength(30);
      expect(new Set(web.hits.map(({ host }) => host)).size).toBeLessThanOrEqual(7);
      expect(summary).toMatchObject({ ended: 'complete', pages: 30 });
      expect(await count(db, 'crawl_pages')).toBe(0);
      expect(await count(db, 'crawl_links')).toBe(0);
    });

    test('an endless chain of sites stops at the number of hops', async () => {
      await using database = await openTestDatabase(dialect);
      const names = Array.from({ length: 12 }, (_, n) => `chain${n}.ru`);
      const pages = names.map((name, n) => [`${name}/`, page(`http://chain${n + 1}.ru/`)]);
      await using web = openWeb(Object.fromEntries(pages) as Record<string, string>);
      await crawlAlone(web, database.db, 'chain0.ru', { hopsMax: 5 });
      expect(web.visited()).toHaveLength(6);
      expect(await count(database.db, 'crawl_links')).toBe(6);
    });

    test('files, overlong addresses and other ports are not requested', async () => {
      await using database = await openTestDatabase(dialect);
      const long = `/${'x'.repeat(1_100)}`;
      await using web = openWeb({
        'a.ru/': page(
          '/a.PDF',
          '/b.zip',
          long,
          'http://a.ru:8081/',
          'http://u:p@a.ru/in#part',
          '/#x',
        ),
        'a.ru/in': () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
      });
      await crawlAlone(web, database.db, 'a.ru', {});
      expect(web.visited()).toEqual(['a.ru/', 'a.ru/in']);
    });

    test('failures in a row end a visit', async () => {
      await using database = await openTestDatabase(dialect);
      const links = Array.from({ length: 15 }, (_, n) => `/missing${n}`);
      await using web = openWeb({ 'a.ru/': page(...links) });
      await crawlAlone(web, database.db, 'a.ru', {});
      expect(web.visited()).toHaveLength(1 + 5);
    });
  });
}
