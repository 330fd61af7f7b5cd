import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../../src/lib/clock.ts';
import { rankRelease, SeedLists } from '../../../src/trust/index.ts';
import { CHANGES_MAX, diffRankings } from '../../../src/trust/diff/diff-rankings.ts';
import { movedTerms } from '../../../src/trust/diff/moved-terms.ts';
import { scoresBefore } from '../../../src/trust/diff/scores-before.ts';
import { RankedRelease } from '../../../src/trust/release-signals.ts';
import { score } from '../../../src/trust/score/score.ts';
import type { Component } from '../../../src/trust/score/verdict.ts';
import { openTestDatabase } from '../../support/databases.ts';
import { importLinks, type Links } from '../check/links.ts';
import { openWorld } from '../graph/world.ts';

const COUNT = 3 * CHANGES_MAX;
const LISTED = COUNT - 40;
const site = (number: number) => `site${number}.ru`;
/** A ring in which lower numbers have more donors, and universities that link to all. */
const links: Links = Array.from({ length: COUNT }, (_, number) => number).flatMap((number) => [
  [site(number), site((number + 1) % COUNT)] as const,
  [site(number), site(number >> 1)] as const,
  [`u${number % 9}.edu`, site(number)] as const,
]);

const scoreIn = (ranked: RankedRelease, node: number) =>
  score(ranked.signalsOf(node), undefined, ranked.formula);

async function openRanked() {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openTestDatabase('sqlite'));
  const { store } = stack.use(await openWorld());
  const lists = new SeedLists(database.db, systemClock);
  await importLinks(
    store,
    'one',
    links.filter(([from, to]) => from !== to),
  );
  const ranked = (name = 'one'): RankedRelease => {
    const found = RankedRelease.of(store.open(name));
    if (!found) throw new Error('not ranked');
    return found;
  };
  const rank = async (name: string) => {
    const before = scoresBefore(store, name);
    await rankRelease(store, lists, systemClock, { name, threads: 1 });
    if (!before) return undefined;
    const sources = new Map((await lists.list()).map(({ domain, source }) => [domain, source]));
    return diffRankings(store, { before, name, sources }, () => Promise.resolve());
  };
  expect(await rank('one')).toBeUndefined();
  const kept = stack.move();
  return { store, lists, rank, ranked, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

describe('the difference of two rankings', () => {
  test('names the cause, counts every colour and lists the best linked domains', async () => {
    await using world = await openRanked();
    const { store, lists, rank, ranked } = world;
    expect(await rank('one')).toMatchObject({ differs: [], seeds: [], colours: [], changes: [] });

    const listed = Array.from({ length: LISTED }, (_, number) => site(number)).join('\n');
    await lists.add('spam', `${listed}\nelsewhere.ru`, { source: 'Some blocklist' });
    await lists.add('trusted', 'u1.edu');
    const old = ranked();
    const diff = await rank('one');
    if (!diff) throw new Error('nothing was compared');
    const now = ranked();

    expect(diff).toMatchObject({
      before: { release: 'one', rankedAt: old.rankedAt, formula: '2' },
      after: { release: 'one', rankedAt: now.rankedAt },
      compared: COUNT + 9,
      appeared: 0,
      vanished: 0,
      differs: ['lists'],
      seeds: [
        { change: 'added', kind: 'spam', source: 'Some blocklist', domains: LISTED },
        { change: 'added', kind: 'trusted', source: null, domains: 1 },
      ],
    });
    const nodes = Array.from({ length: COUNT + 9 }, (_, node) => node);
    const turned = nodes.filter((node) => scoreIn(old, node).colour !== scoreIn(now, node).colour);
    expect(turned.length).toBeGreaterThan(CHANGES_MAX);
    expect(diff.colours.reduce((sum, { domains }) => sum + domains, 0)).toBe(turned.length);
    expect(diff.changes).toHaveLength(CHANGES_MAX);
    const donors = diff.changes.map((change) => change.donors);
    expect(donors).toEqual(donors.toSorted((a, b) => b - a));
    const release = store.open('one');
    for (const { domain, before, after, terms } of diff.changes) {
      const node = release.find(domain) ?? -1;
      expect(scoreIn(old, node)).toMatchObject(before);
      expect(scoreIn(now, node)).toMatchObject(after);
      expect(terms.length).toBeGreaterThan(0);
    }
    const first = diff.changes.find(({ domain }) => domain === site(1));
    expect(first?.terms).toContainEqual(expect.objectContaining({ name: 'listed', before: 0 }));

    await lists.removeSource('Some blocklist');
    expect((await rank('one'))?.seeds).toEqual([
      { change: 'removed', kind: 'spam', source: null, domains: LISTED },
    ]);
  });

  test('of two releases matches their domains by name', async () => {
    await using world = await openRanked();
    await importLinks(world.store, 'two', [...links.slice(3), ['aaa.com', 'site7.ru']]);
    expect(await world.rank('two')).toMatchObject({
      before: { release: 'one' },
      after: { release: 'two' },
      differs: ['graph'],
      compared: COUNT + 9,
      appeared: 1,
      vanished: 0,
    });
  });
});

test('the terms that moved are the weightiest of each unit, even if one score lacks them', () => {
  const term = (name: string, contribution: number, unit: Component['unit'] = 'points') => {
    return { name, unit, contribution, value: 0, weight: 0 };
  };
  const before = [term('a', 1), term('b', 2), term('c', 3), term('d', 4), term('e', 1, 'log-odds')];
  const after = [term('a', 1.04), term('b', 2.5), term('c', 1), term('d', 3.9), term('f', 0.2)];
  expect(movedTerms(before, after)).toEqual([
    { name: 'c', unit: 'points', before: 3, after: 1 },
    { name: 'b', unit: 'points', before: 2, after: 2.5 },
    { name: 'f', unit: 'points', before: 0, after: 0.2 },
    { name: 'e', unit: 'log-odds', before: 1, after: 0 },
  ]);
});
