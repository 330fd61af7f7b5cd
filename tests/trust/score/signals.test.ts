import { describe, expect, test } from 'bun:test';
import { degree, neighbours, type Graph } from '../../../src/trust/graph/rows.ts';
import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import { score } from '../../../src/trust/score/score.ts';
import type { Seeds } from '../../../src/trust/score/seeds.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import { topDonors } from '../../../src/trust/score/top-donors.ts';
import { buildGraph, exactScore, signalsOf } from '../../support/link-graph.ts';

type Edge = [from: number, to: number];

function graphOf(nodes: number, edges: readonly Edge[]): Graph {
  const from = Uint32Array.from(edges, ([source]) => source);
  return buildGraph(
    nodes,
    from,
    Uint32Array.from(edges, ([, target]) => target),
  );
}

function seedsOf(changes: Partial<Record<keyof Seeds, number[]>> = {}): Seeds {
  const { institutions = [], trusted = [], spam = [] } = changes;
  return {
    institutions: Uint32Array.from(institutions),
    trusted: Uint32Array.from(trusted),
    spam: Uint32Array.from(spam),
  };
}

/** Two neighbourhoods: donors 0 to 4 link to trusted 10, 11 and to 20; 5 to 9 to spam 12, 13 and to 21. */
const split = graphOf(22, [
  ...[0, 1, 2, 3, 4].flatMap((donor): Edge[] => [
    [donor, 10],
    [donor, 11],
    [donor, 20],
  ]),
  ...[5, 6, 7, 8, 9].flatMap((donor): Edge[] => [
    [donor, 12],
    [donor, 13],
    [donor, 21],
  ]),
]);

describe('the distrust of donors', () => {
  test('separates neighbours of trusted domains from neighbours of listed spam', async () => {
    const seeds = seedsOf({ trusted: [10, 11], spam: [12, 13] });
    const release = await computeSignals(split, seeds, formulaV1);
    const { distrust } = release.arrays;
    expect(distrust[20] ?? 0).toBeLessThan(-0.1);
    expect(distrust[21] ?? 0).toBeGreaterThan(0.1);
    const xt = (node: number) =>
      exactScore(signalsOf(split, release, node), undefined, formulaV1).xtExact;
    expect(xt(20)).toBeGreaterThan(xt(21));
  });

  test('is 0 without a list of spam', async () => {
    const { arrays, votes, lists } = await computeSignals(
      split,
      seedsOf({ trusted: [10] }),
      formulaV1,
    );
    expect(arrays.distrust.every((value) => value === 0)).toBe(true);
    expect({ votes, lists }).toEqual({ votes: 1, lists: null });
  });

  test('uses institutions as trusted domains when none are listed', async () => {
    const seeds = seedsOf({ institutions: [10, 11], spam: [12, 13] });
    const { distrust } = (await computeSignals(split, seeds, formulaV1)).arrays;
    expect(distrust[21] ?? 0).toBeGreaterThan(distrust[20] ?? 0);
  });

  test('does not count an institution as trusted that is listed as spam', async () => {
    const signalsWith = (institutions: number[]) =>
      computeSignals(split, seedsOf({ institutions, spam: [12, 13] }), formulaV1);
    const [both, alone] = [await signalsWith([11, 12]), await signalsWith([11])];
    expect(both.arrays.distrust).toEqual(alone.arrays.distrust);
    expect([both.votes, both.lists]).toEqual([alone.votes, alone.lists]);
  });
});

describe('the signals of a release', () => {
  test('exist for the empty graph and for one without links', async () => {
    const empty = await computeSignals(graphOf(0, []), seedsOf(), formulaV1);
    expect(empty.arrays.pageRank.length).toBe(0);
    const lonely = await computeSignals(
      graphOf(3, []),
      seedsOf({ trusted: [0], spam: [1] }),
      formulaV1,
    );
    expect([...lonely.arrays.pageRank]).toEqual([0, 0, 0]);
    const scored = score(signalsOf(graphOf(3, []), lonely, 2), undefined, formulaV1);
    expect(scored).toMatchObject({ xt: 0, confidence: 'low' });
  });

  test('rate votes less reliable if more of them go to listed spam', async () => {
    const loved = (good: number[], bad: number[]) =>
      computeSignals(split, seedsOf({ trusted: good, spam: bad }), formulaV1);
    const popular = graphOf(60, [
      ...Array.from({ length: 40 }, (_, donor): Edge => [donor + 20, donor % 10]),
      ...Array.from({ length: 10 }, (_, at): Edge => [20, 10 + at]),
    ]);
    const [many, few] = [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    ];
    const right = await computeSignals(popular, seedsOf({ trusted: many, spam: few }), formulaV1);
    const wrong = await computeSignals(popular, seedsOf({ trusted: few, spam: many }), formulaV1);
    expect(right.votes).toBe(1);
    expect(wrong.votes).toBeLessThan(0.5);
    expect((await loved([10, 11], [12, 13])).votes).toBeGreaterThan(0.5);
  });

  test('take the share of the shorter list as the base rate', async () => {
    for (const seeds of [
      { trusted: [10], spam: [11, 12, 13] },
      { trusted: [10, 11, 12], spam: [13] },
    ]) {
      const { lists } = await computeSignals(split, seedsOf(seeds), formulaV1);
      expect(lists?.odds).toBeCloseTo(Math.log(1 / 3), 12);
    }
  });

  test('count a domain on both lists as spam', async () => {
    const { arrays } = await computeSignals(
      split,
      seedsOf({ trusted: [10, 12], spam: [12] }),
      formulaV1,
    );
    expect([arrays.listed[10], arrays.listed[12], arrays.listed[20]]).toEqual([1, 2, 0]);
  });
});

describe('top donors', () => {
  test('are those with the greatest flow, with exact flows', async () => {
    const graph = graphOf(6, [
      [1, 0],
      [2, 0],
      [2, 4],
      [3, 0],
      [5, 0],
    ]);
    const trust = [0, 0.1, 0.4, 0.3, 0, 0];
    const flowOf = (node: number) => (0.85 * (trust[node] ?? 0)) / degree(graph.out, node);
    const top = await topDonors(neighbours(graph.in, 0), flowOf, 2, pause);
    expect(top.map(({ node }) => node)).toEqual([3, 2]);
    expect(top[0]?.flow).toBeCloseTo(0.85 * 0.3, 12);
    expect(top[1]?.flow).toBeCloseTo((0.85 * 0.4) / 2, 12);
    expect(await topDonors(neighbours(graph.in, 0), () => 0, 2, pause)).toEqual([]);
  });
});

const pause = () => Promise.resolve();
