import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../../src/db/index.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { CrawlSightings } from '../../../src/trust/crawl-sightings.ts';
import {
  Pages,
  rankRelease,
  ScoreHistory,
  SeedLists,
  TrustCheck,
} from '../../../src/trust/index.ts';
import { changesBetween, remembered, type Seen } from '../../../src/trust/watch/seen.ts';
import { watch, type WatchEvent, type WatchOptions } from '../../../src/trust/watch/watch.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { importLinks, donorsOf } from '../check/links.ts';
import { openWorld } from '../graph/world.ts';
import { createWorld, type World } from '../page/world.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'a secret that only both sides know';

interface Scene extends AsyncDisposable {
  world: World;
  db: Database;
  /** The pages of the sites; null is answered with 404. */
  pages: Map<string, string | null>;
  lists: SeedLists;
  rank: () => Promise<void>;
  /**
   * Runs a watch that sleeps for so many minutes in all; the clock moves by what it sleeps.
   * @returns the events on standard output, and the problems
   */
  run: (options?: Partial<WatchOptions> & { minutes?: number }) => Promise<{
    events: WatchEvent[];
    problems: string[];
  }>;
}

const prose = 'Каждый день мы печём хлеб на закваске и продаём его у вокзала и на рынке. ';
const html = (title: string, rest = prose.repeat(5)) =>
  `<html lang="ru"><head><title>${title}</title></head><body><a href="/o">О нас</a><p>${rest}</p></body></html>`;

async function openScene(dialect: 'sqlite' | 'postgres'): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const { db } = stack.use(await openTestDatabase(dialect));
  const { store } = stack.use(await openWorld());
  const world = stack.use(createWorld());
  const pages = new Map<string, string | null>([
    ['alpha.ru', html('Альфа')],
    ['beta.ru', html('Бета')],
  ]);
  for (const host of pages.keys()) {
    await world.serve(host, (request, response) => {
      const page = request.url === '/' ? pages.get(host) : null;
      if (page == null) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
  }
  world.start();
  const { clock } = world;
  const lists = new SeedLists(db, clock);
  await importLinks(store, 'one', [
    ...donorsOf('alpha.ru', 30),
    ...donorsOf('beta.ru', 30),
    ['msu.edu', 'donor1.ru'],
    ['msu.edu', 'alpha.ru'],
  ]);
  const rank = async () => {
    clock.time += 1000;
    await rankRelease(store, lists, clock, { name: 'one', threads: 1 });
  };
  await rank();
  const kept = stack.move();
  return {
    world,
    db,
    pages,
    lists,
    rank,
    async run({ minutes = 10, ...options } = {}) {
      const events: WatchEvent[] = [];
      const problems: string[] = [];
      const stop = new AbortController();
      // Each run is a separate process, without the caches of an earlier one.
      const check = new TrustCheck({
        store,
        pages: new Pages(db, clock),
        history: new ScoreHistory(db, clock),
        reader: world.reader,
        sightings: new CrawlSightings(db, clock),
        log: silentLog,
      });
      let slept = 0;
      await watch({
        db,
        clock,
        check,
        fetch: world.fetch,
        domains: [...pages.keys()],
        everyMs: HOUR_MS,
        signal: stop.signal,
        onEvent: (line) => Promise.resolve(events.push(JSON.parse(line) as WatchEvent)),
        onProblem: (message) => Promise.resolve(problems.push(message)),
        sleep: (milliseconds) => {
          slept += milliseconds;
          if (slept >= minutes * 60_000) stop.abort();
          else clock.time += milliseconds;
          return Promise.resolve();
        },
        ...options,
      });
      return { events, problems };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: a watch`, () => {
    test('reports what changed since the last reading, also by an earlier run', async () => {
      await using scene = await openScene(dialect);
      const { pages, world, lists, rank, run } = scene;
      expect(await run()).toEqual({ events: [], problems: [] });
      expect(world.requests.filter((one) => one === 'alpha.ru /')).toHaveLength(1);

      // Nothing is due yet, and a later reading finds a change made meanwhile.
      pages.set('alpha.ru', html('Альфа продаётся', '<h1>Домен alpha.ru продаётся</h1>'));
      await run();
      expect(world.requests.filter((one) => one === 'alpha.ru /')).toHaveLength(1);
      world.clock.time += HOUR_MS;
      const { events } = await run();
      expect(events).toMatchObject([
        {
          type: 'site.changed',
          domain: 'alpha.ru',
          at: expect.stringMatching(/^2027-01-15T.+Z$/),
          changes: expect.arrayContaining([
            { field: 'title', before: 'Альфа', after: 'Альфа продаётся' },
            { field: 'parked', before: false, after: true },
            { field: 'workability', before: 'да', after: 'не известно' },
          ]),
          now: { parked: true, language: 'ru', title: 'Альфа продаётся' },
          release: 'one',
        },
      ]);

      // A list changes a score. A page that is gone reports no change of title or language.
      await lists.add('spam', 'beta.ru');
      await rank();
      pages.set('beta.ru', null);
      world.clock.time += HOUR_MS;
      const [event, ...others] = (await run()).events.filter(({ domain }) => domain === 'beta.ru');
      expect(others).toEqual([]);
      const fields = event?.changes.map(({ field }) => field);
      expect(fields).toEqual(expect.arrayContaining(['workability', 'spam']));
      expect(fields).not.toContain('title');
      expect(event?.now.colour).toBe('ор');
    });

    test('sends signed events to a webhook until they are accepted, also after a restart', async () => {
      await using scene = await openScene(dialect);
      const { pages, world, run } = scene;
      await run();
      const received: { signature: string; body: string }[] = [];
      let status = 503;
      await world.serve('hooks.ru', (request, response) => {
        let body = '';
        request.on('data', (piece) => (body += String(piece)));
        request.on('end', () => {
          received.push({ signature: String(request.headers['zastava-signature']), body });
          response.writeHead(status).end();
        });
      });
      world.start();
      pages.set('beta.ru', html('Новая Бета'));
      world.clock.time += HOUR_MS;
      const webhook = { url: 'http://hooks.ru/in?a=1', secret: SECRET };
      const failed = await run({ webhook, fetch: world.fetch, minutes: 1 });
      expect(failed.events).toHaveLength(1);
      expect(failed.problems).toEqual([expect.stringContaining('it answered 503')]);
      expect(received).toHaveLength(4);

      status = 204;
      world.clock.time += HOUR_MS;
      const retried = await run({ webhook, fetch: world.fetch });
      expect(retried).toEqual({ events: failed.events, problems: [] });
      expect(received).toHaveLength(5);
      for (const { signature, body } of received) {
        expect(JSON.parse(body)).toEqual(failed.events[0]);
        const [, seconds = '', hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
        expect(hmac).toBe(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'));
      }
      // The signature of an event that had to wait carries the time of its delivery.
      const times = received.map(({ signature }) => Number(/t=(\d+)/.exec(signature)?.[1]));
      expect(times.at(-1)).toBeGreaterThan((times[0] ?? 0) + 3_000);
      expect((await run({ webhook, fetch: world.fetch })).events).toEqual([]);
    });

    test('refuses a webhook at a private address', async () => {
      await using scene = await openScene(dialect);
      await scene.run();
      scene.pages.set('beta.ru', html('Новая Бета'));
      scene.world.clock.time += HOUR_MS;
      const webhook = { url: 'http://10.0.0.1/', secret: SECRET };
      const { problems } = await scene.run({ webhook, minutes: 1 });
      expect(problems).toEqual([expect.stringContaining('denied_address')]);
    });
  });
}

describe('a value', () => {
  const seen: Seen = {
    title: 'a',
    parked: false,
    language: 'ru',
    workability: 'да',
    xt: 5,
    spam: 2,
    colour: 'жел',
  };
  const unread: Seen = { ...seen, title: '', parked: null, language: null };

  test('is compared only if both readings know it', () => {
    expect(changesBetween(seen, seen)).toEqual([]);
    expect(changesBetween(seen, { ...unread, xt: 6 })).toEqual([
      { field: 'xt', before: 5, after: 6 },
    ]);
    expect(changesBetween(unread, seen)).toEqual([]);
    expect(remembered(seen, { ...unread, xt: 6 })).toEqual({ ...seen, xt: 6 });
    expect(remembered(undefined, unread)).toEqual(unread);
    expect(remembered(unread, seen)).toEqual(seen);
  });
});
