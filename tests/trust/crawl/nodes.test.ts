import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../../src/db/index.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import { Frontier } from '../../../src/trust/crawl/frontier.ts';
import { CRAWL_LIMITS } from '../../../src/trust/crawl/limits.ts';
import { CrawlLease } from '../../../src/trust/crawl/crawl-lease.ts';
import { PageStore, type PageReport } from '../../../src/trust/crawl/page-store.ts';
import { domainOfHost } from '../../../src/trust/identity.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import type { Job } from './crawl-process.ts';
import { drawnEdges, drawnPages, drawnSeeds, drawnVisits } from './drawn-web.ts';
import { Timeline } from './timeline.ts';
import { edgesOf } from './edges.ts';
import { openWeb, page, type Hit, type Pages, type Web } from './web.ts';

const limits = { spacingMs: 0, pollMs: 10, sitesAtOnce: 2 };

/** Starts a crawl in another process and kills it once it has stored this many pages. */
async function killAfter(stores: number, job: Job): Promise<void> {
  const script = join(import.meta.dir, 'crawl-process.ts');
  const child = Bun.spawn([process.execPath, script, JSON.stringify(job)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let lines = 0;
  for await (const chunk of child.stdout) {
    lines += new TextDecoder().decode(chunk).split('\n').length - 1;
    if (lines >= stores) break;
  }
  child.kill('SIGKILL');
  await child.exited;
  expect(lines).toBeGreaterThanOrEqual(stores);
}

/** Whether an address (`host/path`) was stored: as a page, or with its whole site when the crawl of that had ended. */
async function storedIn(db: Database): Promise<(hit: Hit) => boolean> {
  const pages = await db.query<{ url: string }>(
    'SELECT url FROM crawl_pages WHERE outcome IS NOT NULL',
  );
  const done = await db.query<{ domain: string }>(
    `SELECT domain FROM crawl_sites WHERE state = 'done'`,
  );
  expect(pages.length + done.length).toBeGreaterThan(0);
  const addresses = new Set(pages.map(({ url }) => url));
  const domains = new Set(done.map(({ domain }) => domain));
  return ({ host, path }) =>
    addresses.has(`http://${host}${path}`) || domains.has(domainOfHost(host) ?? '');
}

/** A site with many pages, which links to many sites with a few pages each. */
function wideWeb(): { pages: Pages; edges: number } {
  const sites = Array.from({ length: 25 }, (_, index) => `wide${index}.ru`);
  const pages: Record<string, string> = {
    'hub.ru/': page('/1', '/2', '/3', ...sites.map((site) => `http://${site}/`)),
    'hub.ru/1': page('http://wide0.ru/'),
    'hub.ru/2': page(),
    'hub.ru/3': page(),
  };
  sites.forEach((site, index) => {
    const next = sites[(index + 1) % sites.length] ?? '';
    pages[`${site}/`] = page('/1', `http://${next}/`);
    pages[`${site}/1`] = page('http://hub.ru/');
  });
  return { pages, edges: 3 * sites.length };
}

function repeated(web: Web): string[] {
  const visited = web.visited();
  return visited.filter((address, index) => visited[index - 1] === address);
}

for (const dialect of dialects) {
  describe(`${dialect}: nodes of one crawl`, () => {
    test.each([1, 4, 9])(
      'a crawl killed after %i pages resumes and requests nothing that was stored',
      async (stores) => {
        await using database = await openTestDatabase(dialect);
        await using web = openWeb(drawnPages);
        const { db, config } = database;
        const { resolve } = web;
        await killAfter(stores, { config, resolve, seeds: drawnSeeds, node: 'one' });
        const isStored = await storedIn(db);
        const before = web.hits.length;
        // The same name, so that it need not wait until the killed process counts as dead.
        const options = { db, clock: systemClock, fetch: web.fetcher(), seeds: drawnSeeds, limits };
        expect(await crawl({ ...options, node: 'one' })).toMatchObject({ ended: 'complete' });
        expect(web.hits.slice(before).filter(isStored)).toEqual([]);
        expect([...new Set(web.visited())]).toEqual(drawnVisits);
        expect(await edgesOf(db)).toEqual(drawnEdges.map(([from, to]) => [from, to]));
        // A page that was read twice must not count twice.
        const [most] = await db.query('SELECT MAX(links) AS links FROM crawl_links');
        expect(most).toEqual({ links: 3 });
      },
    );

    test('two nodes share the work, and no page is requested twice', async () => {
      await using database = await openTestDatabase(dialect);
      const { pages, edges } = wideWeb();
      await using web = openWeb(pages);
      const other = openDatabase(database.config);
      const node = (db: Database, name: string) =>
        crawl({
          db,
          clock: systemClock,
          fetch: web.fetcher(),
          node: name,
          seeds: ['hub.ru'],
          limits,
        });
      const [one, two] = await Promise.all([node(database.db, 'one'), node(other, 'two')]);
      await other.close();
      expect([one.ended, two.ended]).toEqual(['complete', 'complete']);
      expect(repeated(web)).toEqual([]);
      expect(web.visited()).toHaveLength(Object.keys(pages).length);
      expect(one.pages + two.pages).toBe(Object.keys(pages).length);
      expect(await edgesOf(database.db)).toHaveLength(edges);
    });

    test('the sites of a silent node go to others, and its late stores are refused', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const clock = new Timeline();
      const parts = { db, clock, limits: CRAWL_LIMITS };
      const frontier = new Frontier(parts);
      await frontier.seed(['a.ru', 'b.ru']);
      const slow = await CrawlLease.start({ ...parts, name: 'slow' });
      const [claim] = await frontier.claim(slow.id, 1);
      if (!claim) throw new Error('nothing to claim');
      const quick = await CrawlLease.start({ ...parts, name: 'quick' });
      expect(await frontier.claim(quick.id, 5)).toHaveLength(1);
      await quick.beat();
      clock.pass(CRAWL_LIMITS.silenceMs - 1);
      await quick.beat();
      expect(await frontier.claim(quick.id, 5)).toEqual([]);
      clock.pass(1);
      await quick.beat();
      const [taken] = await frontier.claim(quick.id, 5);
      expect(taken).toMatchObject({ domain: claim.domain, claims: claim.claims + 1 });

      const store = new PageStore(parts, frontier);
      const report: PageReport = {
        settled: ['http://a.ru/'],
        outcome: 'read',
        counts: true,
        movedTo: [],
        found: [],
        links: [{ domain: 'c.ru', followed: 1, unfollowed: 0 }],
      };
      const late = await store.store(claim, await store.load(claim), report);
      expect(late).toBeUndefined();
      expect(await edgesOf(db)).toEqual([]);
      expect(await frontier.finish(claim)).toBe(false);
      // Until it registers again, it gets no domains, which nobody would free.
      expect(await frontier.claim(slow.id, 5)).toEqual([]);
      await slow.beat();
      expect(slow.id).toBeGreaterThan(quick.id);
      await slow.stop();
      await quick.stop();
      expect(await frontier.outlook()).toEqual({ waiting: true, claimed: false });
    });

    test('a slow node keeps its sites while it sends heartbeats', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const clock = new Timeline();
      const parts = { db, clock, limits: CRAWL_LIMITS };
      const frontier = new Frontier(parts);
      await frontier.seed(['a.ru']);
      const slow = await CrawlLease.start({ ...parts, name: 'slow' });
      const quick = await CrawlLease.start({ ...parts, name: 'quick' });
      expect(await frontier.claim(slow.id, 1)).toHaveLength(1);
      for (let round = 0; round < 5; round++) {
        clock.pass(CRAWL_LIMITS.silenceMs - 1);
        await slow.beat();
        await quick.beat();
      }
      expect(await frontier.claim(quick.id, 1)).toEqual([]);
      await slow.stop();
      await quick.stop();
    });
  });
}
