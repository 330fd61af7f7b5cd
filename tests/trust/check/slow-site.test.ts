/** The answer of a check while the site is slow, and the facts stored of its page. */
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../../src/db/index.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { CrawlSightings } from '../../../src/trust/crawl-sightings.ts';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import { PageReader, Pages, Robots, ScoreHistory, TrustCheck } from '../../../src/trust/index.ts';
import { movableClock, type MovableClock } from '../../support/clock.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { openWorld } from '../graph/world.ts';
import { openWeb, type Page, type Web } from '../crawl/web.ts';

const words = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const html = (title: string) =>
  new Response(`<!doctype html><title>${title}</title><body>${words}</body>`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** The wait of a check for a page: hardly any. */
function checkOf(
  db: Database,
  directory: string,
  web: Web,
  clock: MovableClock,
  pageWaitMs: number,
) {
  const fetch = web.fetcher();
  return new TrustCheck({
    store: new GraphStore(directory),
    pages: new Pages(db, clock),
    history: new ScoreHistory(db, clock),
    reader: new PageReader({ fetch, robots: new Robots({ fetch, clock }), clock }),
    sightings: new CrawlSightings(db, clock),
    log: silentLog,
    pageWaitMs,
  });
}

const DAY_MS = 86_400_000;

for (const dialect of dialects) {
  describe(`${dialect}: pages`, () => {
    test('a check of a slow site is answered without the page, whose reading continues', async () => {
      const released = Promise.withResolvers<void>();
      const slow: Page = async () => {
        await released.promise;
        return html('Медленный');
      };
      const clock = movableClock();
      await using web = openWeb({ 'slow.ru/': slow }, clock);
      await using world = await openWorld();
      await using database = await openTestDatabase(dialect);
      const trust = checkOf(database.db, world.directory, web, clock, 1);
      const site = trust.siteOf('slow.ru');
      const [first, second] = await Promise.all([trust.check(site), trust.check(site)]);
      for (const record of [first, second]) {
        expect(record).toMatchObject({
          title: '',
          workability: 'не известно',
          page: { status: null },
        });
      }
      // The second check joins the fetch that is under way.
      const patient = trust.check(site, { patient: true });
      released.resolve();
      expect(await patient).toMatchObject({ title: 'Медленный', workability: 'да' });
      expect(await trust.check(site)).toMatchObject({ title: 'Медленный', workability: 'да' });
      expect(web.visited()).toEqual(['slow.ru/']);
    });

    test('a check of a known slow site uses the last page, though a day old', async () => {
      let answer = (): Response | Promise<Response> => html('Вчера');
      const clock = movableClock();
      await using web = openWeb({ 'slow.ru/': () => answer() }, clock);
      await using world = await openWorld();
      await using database = await openTestDatabase(dialect);
      const patientOne = checkOf(database.db, world.directory, web, clock, 60_000);
      const site = patientOne.siteOf('slow.ru');
      expect((await patientOne.check(site)).title).toBe('Вчера');

      clock.forward(DAY_MS);
      const released = Promise.withResolvers<void>();
      answer = async () => {
        await released.promise;
        return html('Сегодня');
      };
      const hasty = checkOf(database.db, world.directory, web, clock, 1);
      expect(await hasty.check(site)).toMatchObject({ title: 'Вчера', workability: 'да' });
      released.resolve();
      expect((await hasty.check(site, { patient: true })).title).toBe('Сегодня');
    });

    test('pages and failures are fresh for a day, workability lasts at most a week', async () => {
      let count = 0;
      const clock = movableClock();
      const pages = { 'a.ru/': () => html(`Версия ${++count}`) };
      await using web = openWeb(pages, clock);
      await using world = await openWorld();
      await using database = await openTestDatabase(dialect);
      const trust = checkOf(database.db, world.directory, web, clock, 60_000);
      const site = trust.siteOf('a.ru');
      expect((await trust.check(site)).title).toBe('Версия 1');
      clock.forward(DAY_MS - 60_000);
      expect((await trust.check(site)).title).toBe('Версия 1');
      clock.forward(60_000);
      expect((await trust.check(site)).title).toBe('Версия 2');
      clock.forward(7 * DAY_MS - 60_000);
      const offline = { offline: true };
      expect(await trust.check(site, offline)).toMatchObject({
        title: 'Версия 2',
        workability: 'да',
      });
      clock.forward(60_000);
      expect(await trust.check(site, offline)).toMatchObject({
        title: 'Версия 2',
        workability: 'не известно',
      });
      expect(web.visited()).toEqual(['a.ru/', 'a.ru/']);
    });

    test('a temporary failure does not replace a page read within a week', async () => {
      let answer = (): Response | Promise<Response> => html('Читается');
      const clock = movableClock();
      await using web = openWeb({ 'a.ru/': () => answer() }, clock);
      await using world = await openWorld();
      await using database = await openTestDatabase(dialect);
      const trust = checkOf(database.db, world.directory, web, clock, 60_000);
      const site = trust.siteOf('a.ru');
      const works = { title: 'Читается', workability: 'да' };
      const unknown = { title: '', workability: 'не известно' };
      expect(await trust.check(site)).toMatchObject(works);

      // The answer while the check waits for the site, and the one after the wait ended without a page.
      clock.forward(DAY_MS);
      const released = Promise.withResolvers<void>();
      answer = async () => {
        await released.promise;
        return new Response('busy', { status: 503 });
      };
      const hasty = checkOf(database.db, world.directory, web, clock, 1);
      expect(await hasty.check(site)).toMatchObject(works);
      released.resolve();
      expect(await hasty.check(site, { patient: true })).toMatchObject(works);
      const other = checkOf(database.db, world.directory, web, clock, 60_000);
      expect(await other.check(site)).toMatchObject(works);
      expect(web.visited()).toHaveLength(2);

      // The site is tried again, but not at once.
      clock.forward(5 * 60_000);
      expect(await other.check(site)).toMatchObject(works);
      expect(web.visited()).toHaveLength(3);

      // After a week the old facts are dropped.
      clock.forward(6 * DAY_MS);
      expect(await other.check(site)).toMatchObject(unknown);

      // The site answers again, and its new facts count at once.
      answer = () => html('Читается');
      clock.forward(5 * 60_000);
      expect(await other.check(site)).toMatchObject(works);
      answer = () => new Response('gone', { status: 410 });
      clock.forward(DAY_MS);
      expect(await other.check(site)).toMatchObject(unknown);
      clock.forward(DAY_MS - 60_000);
      expect(await other.check(site)).toMatchObject(unknown);
      expect(web.visited()).toHaveLength(6);
    });

    test('concurrent checks of one site share one fetch', async () => {
      const clock = movableClock();
      await using web = openWeb({ 'a.ru/': () => html('Один') }, clock);
      await using world = await openWorld();
      await using database = await openTestDatabase(dialect);
      const trust = checkOf(database.db, world.directory, web, clock, 60_000);
      const records = await Promise.all(
        Array.from({ length: 50 }, () => trust.check(trust.siteOf('a.ru'))),
      );
      expect(new Set(records.map(({ title }) => title))).toEqual(new Set(['Один']));
      expect(web.visited()).toEqual(['a.ru/']);
    });
  });
}
