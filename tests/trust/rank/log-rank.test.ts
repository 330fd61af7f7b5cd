import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { logRankScore } from '../../../src/trust/rank/log-rank.ts';

const everyone = () => true;
const all = { isRanked: everyone, isCounted: everyone };

/** Straight from the definition: counts who is better, and shares the rank with equals. */
function simpleScores(values: readonly number[], donors: readonly boolean[]): number[] {
  return values.map((value, node) => {
    if (!donors[node] || value === 0) return 0;
    const others = values.filter((_, other) => donors[other]);
    const better = others.filter((other) => other > value).length;
    const equal = others.filter((other) => other === value).length;
    const nodes = Math.max(2, values.length);
    return 1 - Math.log(better + (equal + 1) / 2) / Math.log(nodes);
  });
}

describe('the score by logarithmic rank', () => {
  test('is 1 − ln(rank) / ln(N), with the mean rank for ties', () => {
    const cases = fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(cases, (nodes) => {
        const values = nodes.map(([value]) => value);
        const donors = nodes.map(([, donor]) => donor);
        const ranked = { isRanked: (node: number) => donors[node] ?? false, isCounted: everyone };
        const sorted = logRankScore(Uint32Array.from(values), ranked);
        // Scores of graphs with more nodes than a test can have.
        const inTable = logRankScore(Uint32Array.from(values), ranked, 0);
        simpleScores(values, donors).forEach((wanted, node) => {
          expect(sorted[node]).toBeCloseTo(wanted, 6);
          expect(inTable[node]).toBe(sorted[node] ?? NaN);
        });
      }),
    );
  });

  test('orders values of any magnitude', () => {
    const values = Float64Array.of(1e-10, 0.5, 3e-7, 0, 1e-11);
    const scores = logRankScore(values, all);
    const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    expect(order).toEqual([1, 2, 0, 4, 3]);
    expect(scores[1]).toBe(1);
    expect(scores[3]).toBe(0);
  });

  test('treats differences below the precision of the solver as a tie', () => {
    const scores = logRankScore(Float64Array.of(0.1, 0.1 + 1e-12, 0.2), all);
    expect(scores[0]).toBe(scores[1] ?? NaN);
  });

  test('works with no node and with one', () => {
    expect(logRankScore(new Uint32Array(0), all).length).toBe(0);
    expect([...logRankScore(Uint32Array.of(7), all)]).toEqual([1]);
    expect([...logRankScore(Uint32Array.of(7), { ...all, isRanked: () => false })]).toEqual([0]);
  });
});
