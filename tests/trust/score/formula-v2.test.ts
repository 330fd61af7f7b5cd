import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { INDEPENDENT_MAX } from '../../../src/trust/rank/mark-words.ts';
import { formulaV2 } from '../../../src/trust/score/formula-v2.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import { GREEN_ABOVE_INDEPENDENT } from '../../../src/trust/words/words.ts';
import { buildGraph, exactScore, signalsOf } from '../../support/link-graph.ts';
import { domain } from './support.ts';

type Edge = readonly [from: number, to: number];

/** A web in which trust reaches every site: institutions 0 to 4, other sites up to 99, each with links to both. */
const HONEST = 100;
const honest: Edge[] = Array.from({ length: HONEST }, (_, site) => site).flatMap((site) =>
  [1, 7, 31, 52].map((step): Edge => [site, (site * 3 + step) % HONEST]),
);
const institutions = [0, 1, 2, 3, 4];
const FIRST = HONEST;

async function ranked(
  edges: readonly Edge[],
  lists: {
    trusted?: number[];
    spam?: number[];
    institutions?: number[];
    endings?: number[];
  } = {},
) {
  const nodes = 1 + Math.max(...edges.flat());
  const ends = (end: 0 | 1) => Uint32Array.from(edges, (edge) => edge[end]);
  const graph = buildGraph(nodes, ends(0), ends(1));
  const seeds = {
    institutions: Uint32Array.from(lists.institutions ?? institutions),
    endings: Uint16Array.from(lists.endings ?? []),
    trusted: Uint32Array.from(lists.trusted ?? []),
    spam: Uint32Array.from(lists.spam ?? []),
  };
  const release = await computeSignals(graph, seeds, formulaV2);
  const signals = (node: number) => signalsOf(graph, release, node);
  return {
    ...release,
    signals,
    score: (node: number) => exactScore(signals(node), undefined, formulaV2),
  };
}

/** Links within a farm of up to 30 domains, and links to it from different honest sites. */
const farms = fc.record({
  within: fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 120 }),
  out: fc.array(fc.tuple(fc.nat(29), fc.nat(HONEST - 1)), { maxLength: 20 }),
  bought: fc.uniqueArray(fc.tuple(fc.integer({ min: 5, max: HONEST - 1 }), fc.nat(29)), {
    minLength: 1,
    maxLength: 12,
    selector: ([seller]) => seller,
  }),
});

const moved = (pairs: readonly (readonly [number, number])[]): Edge[] =>
  pairs.map(([from, to]) => [FIRST + from, FIRST + to]);

describe('independent donors', () => {
  test("of a farm's domain are no more than the links that the farm bought", async () => {
    await fc.assert(
      fc.asyncProperty(farms, async ({ within, out, bought }) => {
        const { arrays } = await ranked([
          ...honest,
          ...moved(within),
          ...out.map(([from, to]): Edge => [FIRST + from, to]),
          ...bought.map(([seller, to]): Edge => [seller, FIRST + to]),
        ]);
        expect(Math.max(...arrays.independent.subarray(FIRST))).toBeLessThanOrEqual(bought.length);
      }),
      { numRuns: 30 },
    );
  });

  test('are many for a site with many links, and all that are counted for an institution', async () => {
    const fans = Array.from({ length: 90 }, (_, fan): Edge => [5 + fan, FIRST]);
    const { signals } = await ranked([...honest, ...fans]);
    expect(signals(FIRST).independent).toBeGreaterThan(10);
    expect(signals(0).independent).toBe(INDEPENDENT_MAX);
  });

  test('are few if all paths begin under one public suffix that sells domains', async () => {
    const [bought, target] = [Array.from({ length: 90 }, (_, at) => FIRST + 1 + at), FIRST];
    const links = [...honest, ...bought.map((site): Edge => [site, target])];
    const independent = async (ending: (at: number) => number) => {
      const { signals } = await ranked(links, {
        institutions: bought,
        endings: bought.map((_, at) => ending(at)),
      });
      return signals(target).independent;
    };
    expect(await independent(() => 5)).toBeLessThanOrEqual(24);
    expect(await independent((at) => 5 + (at % 2))).toBeGreaterThan(24);
    expect(await independent(() => 0)).toBe(90);
  });

  test('limit the score: with few of them it is not green, however high its ranks', () => {
    const release = { votes: 1, reach: 1, lists: null };
    const great = { pageRank: 1, trustRank: 1, donors: 1, donorCount: 1e6, release };
    const xt = (independent: number) =>
      exactScore(domain({ ...great, independent }), undefined, formulaV2);
    expect(xt(1).colour).toBe('ор');
    expect(xt(GREEN_ABOVE_INDEPENDENT).colour).toBe('жел');
    expect(xt(INDEPENDENT_MAX)).toMatchObject({ colour: 'зел', confidence: 'high' });
  });
});

describe('sites that trust does not reach', () => {
  const worthless = Array.from({ length: 90 }, (_, at): Edge => [FIRST + at, 20]);

  test('change no score: neither worthless links to a site nor names that nobody registered', async () => {
    const names = Array.from({ length: 500 }, (_, at): Edge => [FIRST, FIRST + 90 + at]);
    const before = await ranked(honest);
    for (const attack of [worthless, [...worthless, ...names]]) {
      const after = await ranked([...honest, ...attack]);
      for (let site = 0; site < HONEST; site++) {
        expect(after.score(site)).toEqual(before.score(site));
      }
    }
  });
});

describe('unregistered names, linked from a domain that trust reaches', () => {
  const [seller, farm, helper] = [40, [FIRST, FIRST + 1, FIRST + 2], FIRST + 3];
  const planted: Edge[] = [
    [seller, FIRST],
    ...farm.flatMap((from) => farm.filter((to) => to !== from).map((to): Edge => [from, to])),
    [FIRST, helper],
  ];
  const withNames = (count: number, lists: Parameters<typeof ranked>[1]) => {
    const names = Array.from({ length: count }, (_, at): Edge => [helper, helper + 1 + at]);
    return ranked([...honest, ...planted, ...names], lists);
  };

  test.each([
    ['without lists', {}],
    ['with lists', { trusted: [10, 11, 12], spam: [20, 21, 22] }],
  ])('change no score by any bit: one name or 700, %s', async (_, lists) => {
    const [one, many] = [await withNames(1, lists), await withNames(700, lists)];
    for (let site = 0; site <= helper; site++) {
      const [was, is] = [one.score(site), many.score(site)];
      expect({ site, xt: is.xtExact, p: is.p }).toEqual({ site, xt: was.xtExact, p: was.p });
    }
  });
});

describe('if trust reaches too few domains', () => {
  const [size, target] = [60, FIRST + 60];
  const farm = Array.from({ length: size }, (_, at): Edge => [FIRST + at, target]);
  /** Other sites that trust does not reach, in pairs. */
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, at): Edge => [target + 1 + at, target + 1 + (at ^ 1)]);

  test('a farm counts as independent donors, and the score then never has high confidence', async () => {
    const small = await ranked([...honest, ...farm, ...strangers(400)]);
    expect(small.reach).toBeLessThan(1);
    const { confidence, reasons } = small.score(target);
    expect(small.signals(target).independent).toBeGreaterThanOrEqual(20);
    expect(confidence).toBe('medium');
    expect(reasons[0]).toEqual({ code: 'little_reach', value: small.reach });
    // A site without donors has no count that could be too high.
    const { reasons: ofNone } = small.score(FIRST);
    expect(ofNone.map(({ code }) => code)).not.toContain('little_reach');
  });

  test('and only then', async () => {
    const large = await ranked([...honest, ...farm]);
    expect(large.reach).toBe(1);
    expect(large.signals(target).independent).toBe(0);
    for (const node of [0, 20, target]) {
      expect(large.score(node).reasons.map(({ code }) => code)).not.toContain('little_reach');
    }
  });
});

test('votes are not called reliable because trust flows from the list of trusted domains', async () => {
  const trusted = Array.from({ length: 10 }, (_, at) => FIRST + at);
  const spam = Array.from({ length: 10 }, (_, at) => FIRST + 10 + at);
  const bad = [
    ...honest,
    ...trusted.map((site): Edge => [5, site]),
    ...spam.flatMap((site) => [5, 6, 7, 8].map((fan): Edge => [fan, site])),
  ];
  expect((await ranked(bad, { trusted, spam })).votes).toBeLessThan(0.4);
  expect((await ranked(bad, { trusted: spam, spam: trusted })).votes).toBe(1);
});

describe('institutions of the whole web', () => {
  const of = (changes: Parameters<typeof domain>[0]) =>
    exactScore(domain({ distrust: 0.5, ...changes }), undefined, formulaV2);
  const term = (changes: Parameters<typeof domain>[0]) =>
    of(changes).components.find(({ name }) => name === 'institutions of the whole web');

  test('count for a domain if a base is in use, and are no term without one', () => {
    expect(term({})).toBeUndefined();
    expect(of({ institutionDonors: 0 }).xtExact).toBe(of({}).xtExact);
    expect(of({ institutionDonors: 500 }).p).toBeLessThan(of({ institutionDonors: 5 }).p);
    expect(of({ institutionDonors: 500 }).reasons).toContainEqual({
      code: 'linked_by_institutions',
      value: 500,
    });
  });

  test('do not outvote the operator', () => {
    expect(term({ institutionDonors: 1e6, listed: 2 })).toBeUndefined();
  });
});

test('terms add up to the score', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const domains = fc.record({
    pageRank: share,
    trustRank: share,
    donors: share,
    distrust: fc.double({ min: -4, max: 4, noNaN: true }),
    independent: fc.nat(INDEPENDENT_MAX),
    institutionDonors: fc.option(fc.nat(1e6), { nil: undefined }),
    release: fc.record({ votes: share, reach: share, lists: fc.constant(null) }),
  });
  fc.assert(
    fc.property(domains, (changes) => {
      const { xt, p, components } = exactScore(domain(changes), undefined, formulaV2);
      const sumOf = (unit: 'points' | 'log-odds'): number =>
        components.reduce((sum, each) => sum + (each.unit === unit ? each.contribution : 0), 0);
      expect(Math.abs(sumOf('points') - xt)).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(1 / (1 + Math.exp(-sumOf('log-odds')))).toBeCloseTo(p, 12);
    }),
  );
});
