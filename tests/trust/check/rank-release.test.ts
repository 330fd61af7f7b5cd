/** From an imported release to scores: equal to the pure computation. */
import { describe, expect, test } from 'bun:test';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { registrableDomain } from '../../../src/trust/identity.ts';
import { rankRelease, releaseToRank, SeedLists } from '../../../src/trust/index.ts';
import { leastRankMiB } from '../../../src/trust/rank-release.ts';
import { RankedRelease } from '../../../src/trust/release-signals.ts';
import { formulaInForce } from '../../../src/trust/score/formulas.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { failure } from '../../support/failure.ts';
import { pick, randomFrom } from '../../torture/support/random.ts';
import { openWorld } from '../graph/world.ts';
import { writeGraph, type Links } from './links.ts';
import { buildGraph, isTrustedByRule, signalsOf } from '../../support/link-graph.ts';

/** A small web with institutions, a farm and listed domains. */
const names = [
  ...Array.from({ length: 40 }, (_, number) => `site${number}.ru`),
  ...Array.from({ length: 12 }, (_, number) => `farm${number}.com`),
  'msu.edu',
  'nasa.gov',
  'ox.ac.uk',
  'spam.ru',
  'spam.com',
  'good.org',
  'fine.org',
];
/**
 * Links drawn from this seed give every two domains the same ranks or ranks that differ by 0.06 % or more. The remaining
 * error of a thread cannot decide whether two of them tie, so scores do not depend on the order in which threads sweep.
 */
const random = randomFrom(11);
const links: Links = Array.from(
  { length: 400 },
  () => [pick(names, random), pick(names, random)] as const,
).filter(([from, to]) => from !== to);

describe('rankRelease', () => {
  test('gives the same signals as the computation in memory', async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const { store } = world;
    const lists = new SeedLists(database.db);
    await lists.add('spam', 'spam.ru\nspam.com\nfarm0.com');
    await lists.add('trusted', 'good.org\nfine.org\nnot-in-the-graph.org');
    await store.importGraph({ name: 'one', ...(await writeGraph(world.directory, links)) });
    expect(store.currentName()).toBeUndefined();
    const report = await rankRelease(store, lists, systemClock, { name: 'one', threads: 2 });
    expect(report.seeds).toEqual({ institutions: 3, trusted: 2, spam: 3 });
    expect(store.currentName()).toBe('one');

    const release = store.open('one');
    const ranked = RankedRelease.of(release);
    if (!ranked) throw new Error('not ranked');
    const node = (domain: string) => release.find(domain) ?? -1;
    const graph = buildGraph(
      release.nodes,
      Uint32Array.from(links, ([from]) => node(from)),
      Uint32Array.from(links, ([, to]) => node(to)),
    );
    const seeds = await lists.nodesIn(release);
    const namesOf = (nodes: Uint32Array) => Array.from(nodes, (seed) => release.nameOf(seed));
    expect(namesOf(seeds.institutions)).toEqual(['msu.edu', 'nasa.gov', 'ox.ac.uk']);
    expect(namesOf(seeds.trusted)).toEqual(['fine.org', 'good.org']);
    expect(namesOf(seeds.spam)).toEqual(['farm0.com', 'spam.com', 'spam.ru']);
    const signals = await computeSignals(graph, seeds, formulaInForce);
    for (const name of names) {
      const expected = signalsOf(graph, signals, node(name));
      const found = ranked.signalsOf(node(name));
      for (const [field, value] of Object.entries(expected)) {
        const own = found[field as keyof typeof found];
        if (typeof value === 'number')
          expect([name, field, own]).toEqual([name, field, close(value)]);
      }
      expect(found.release).toEqual(expected.release);
    }
  });

  test('gives the same signals within any memory limit', async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const { store } = world;
    const lists = new SeedLists(database.db);
    await lists.add('spam', 'spam.ru');
    await store.importGraph({ name: 'one', ...(await writeGraph(world.directory, links)) });
    const scores: number[][] = [];
    // The smallest limit leaves no room for rows, which are then read from their files.
    const least = leastRankMiB(store.open('one').nodes);
    for (const memoryMiB of [undefined, least, least + 1]) {
      const options = memoryMiB === undefined ? {} : { memoryMiB };
      await rankRelease(store, lists, systemClock, { name: 'one', threads: 2, ...options });
      const ranked = RankedRelease.of(store.open('one'));
      scores.push(names.map((_, node) => ranked?.signalsOf(node).trustRank ?? -1));
    }
    for (const other of scores) expect(other).toEqual(scores[0]?.map(close) ?? []);
    const tooLittle = rankRelease(store, lists, systemClock, { name: 'one', memoryMiB: least - 1 });
    expect(await failure(tooLittle)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/takes at least \d+ MiB/),
    });
  });

  test('a second ranking of the current release takes effect at once', async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const { store } = world;
    const lists = new SeedLists(database.db);
    await store.importGraph({ name: 'one', ...(await writeGraph(world.directory, links)) });
    await rankRelease(store, lists, systemClock, { name: 'one', threads: 1 });
    const listed = () => {
      const release = store.current();
      const ranked = release && RankedRelease.of(release);
      return ranked?.signalsOf(release?.find('spam.ru')).listed;
    };
    expect(listed()).toBe(0);
    await lists.add('spam', 'spam.ru');
    await rankRelease(store, lists, systemClock, { name: 'one', threads: 1 });
    expect(listed()).toBe(2);
    expect(await store.findDamage('one')).toEqual([]);
  });

  test('says which of the donors that trust comes through are on the list of spam', async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const { store } = world;
    const lists = new SeedLists(database.db);
    await lists.add('spam', 'spam.ru');
    const few: Links = ['msu.edu', 'spam.ru'].map((from) => [from, 'site1.ru'] as const);
    const graph = await writeGraph(world.directory, [...few, ['msu.edu', 'spam.ru']]);
    await store.importGraph({ name: 'one', ...graph });
    await rankRelease(store, lists, systemClock, { name: 'one', threads: 1 });
    const release = store.open('one');
    const top = await RankedRelease.of(release)?.topDonors(release.find('site1.ru'));
    expect(top?.map(({ domain, isListedSpam }) => [domain, isListedSpam]).sort()).toEqual([
      ['msu.edu', false],
      ['spam.ru', true],
    ]);
  });
});

describe('releaseToRank', () => {
  test("treats an import with a name like a crawl's release as an import", async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const { store } = world;
    const parts = { store, db: database.db, clock: systemClock };
    const name = 'crawl-2026-06';
    // The same command resumes it after it was killed.
    const unfinished = join(world.directory, 'trust', 'imports', name);
    await mkdir(unfinished, { recursive: true });
    expect(await failure(releaseToRank(parts, { name: undefined }))).toMatchObject({
      code: 'not_found',
    });
    expect(await readdir(unfinished)).toEqual([]);
    await store.importGraph({ name, ...(await writeGraph(world.directory, links)) });
    expect(await releaseToRank(parts, { name: undefined })).toBe(name);
  });
});

describe('SeedLists.nodesIn', () => {
  test('finds the same institutions by ranges of names as the rule does name by name', async () => {
    await using database = await openTestDatabase('sqlite');
    await using world = await openWorld();
    const lists = new SeedLists(database.db);
    const labels = ['a', 'ac', 'edu', 'edu-x', 'gov', 'go', 'gov0', 'mil', 'zz', 'x1'];
    const endings = ['edu', 'gov', 'int', 'uk', 'ru', 'zz', 'com', 'edux', 'eds', 'aa'];
    const drawn = endings.flatMap((last) =>
      labels.flatMap((first) => [
        `${first}.${last}`,
        ...labels.map((second) => `${second}.${first}.${last}`),
      ]),
    );
    // A graph of hosts would be refused.
    const domains = drawn.filter((name) => registrableDomain(name, 'private') === name);
    const chain = domains.slice(1).map((to, at) => [domains[at] ?? '', to] as const);
    await world.store.importGraph({ name: 'one', ...(await writeGraph(world.directory, chain)) });
    const release = world.store.open('one');
    const { institutions } = await lists.nodesIn(release);
    const found = Array.from(institutions, (node) => release.nameOf(node));
    expect(found.length).toBeGreaterThan(50);
    expect(found.toSorted()).toEqual(domains.filter(isTrustedByRule).toSorted());
  });
});

/** Threads sweep in another order each time, so results agree within the tolerance. */
function close(value: number): number {
  return expect.closeTo(value, 4);
}
