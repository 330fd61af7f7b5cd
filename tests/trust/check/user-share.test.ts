/** A user whose sites are all silent leaves page reads for others. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { silentLog } from '../../../src/lib/log.ts';
import { USER_READS_MAX } from '../../../src/trust/check.ts';
import { CrawlSightings } from '../../../src/trust/crawl-sightings.ts';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import { Pages, ScoreHistory, TrustCheck } from '../../../src/trust/index.ts';
import type { PageResult } from '../../../src/trust/page/page-reader.ts';
import { movableClock } from '../../support/clock.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { openWorld } from '../graph/world.ts';

// A thousand checks wait a millisecond each, which may add up on a busy machine.
setDefaultTimeout(300_000);

const [ALICE, BOB] = [1, 2];
const WAITING_MAX = 1_024;

for (const dialect of dialects) {
  test(`${dialect}: a user's silent sites take no more than the user's share`, async () => {
    const clock = movableClock();
    await using world = await openWorld();
    await using database = await openTestDatabase(dialect);
    const { db } = database;
    const readDomains: string[] = [];
    const silence = Promise.withResolvers<void>();
    const allRead = Promise.withResolvers<void>();
    const sites = Array.from({ length: USER_READS_MAX + WAITING_MAX + 1 }, (_, at) => `s${at}.ru`);
    const firstReads = new Map(
      sites.slice(0, USER_READS_MAX).map((site) => [site, Promise.withResolvers<void>()]),
    );
    /** Bob's one site and all that Alice waits for, except the last, for which the queue had no place. */
    const laterReads = 1 + WAITING_MAX;
    const read = async ({ domain }: { domain: string }): Promise<PageResult> => {
      readDomains.push(domain);
      firstReads.get(domain)?.resolve();
      // Those that get their turn together may be requested in any order.
      if (readDomains.length === laterReads) allRead.resolve();
      await silence.promise;
      const fetchedAt = clock.now();
      const nothing = { ok: false, status: null, workable: false } as const;
      return { ...nothing, domain, fetchedAt, reason: 'http_status' };
    };
    const trust = new TrustCheck({
      store: new GraphStore(world.directory),
      pages: new Pages(db, clock),
      history: new ScoreHistory(db, clock),
      reader: { read },
      sightings: new CrawlSightings(db, clock),
      log: silentLog,
      pageWaitMs: 1,
    });
    const check = (by: number, url: string) => trust.check(trust.siteOf(url), { by });
    // Each check is answered without its page.
    for (const site of sites) {
      expect((await check(ALICE, site)).page.status).toBeNull();
      // Otherwise the next check may overtake it on a busy machine.
      await firstReads.get(site)?.promise;
    }
    expect(readDomains).toEqual(sites.slice(0, USER_READS_MAX));
    readDomains.length = 0;
    // Bob has places of his own, even while some of Alice's checks wait. A page that is already being read needs none.
    const shared = sites.at(-3) ?? '';
    for (const site of ['bob.ru', shared, 's0.ru']) await check(BOB, site);
    expect(readDomains).toEqual(['bob.ru', shared]);
    silence.resolve();
    await allRead.promise;
    // No site was read twice, and none for which the queue had no place.
    expect(readDomains.toSorted()).toEqual(
      ['bob.ru', ...sites.slice(USER_READS_MAX, -1)].toSorted(),
    );
  });
}
