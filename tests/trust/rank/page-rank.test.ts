import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { antiTrustRank, pageRank, trustRank } from '../../../src/trust/rank/page-rank.ts';
import { startWorkers } from '../../../src/trust/rank/workers.ts';
import { densePageRank, edgeLists, graphOf, sharded, sharesOf, type EdgeList } from './graphs.ts';

const AGREEMENT = 1e-8;
const exact = { tolerance: 1e-13 };

function expectClose(
  values: ArrayLike<number>,
  wanted: readonly number[],
  within = AGREEMENT,
): void {
  expect(values.length).toBe(wanted.length);
  const apart = wanted.map((value, node) => Math.abs(value - (values[node] ?? NaN)));
  expect(Math.max(0, ...apart)).toBeLessThan(within);
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const dampings = fc.double({ min: 0.1, max: 0.95, noNaN: true });

describe('PageRank', () => {
  test('agrees with the dense matrix for any damping', async () => {
    await fc.assert(
      fc.asyncProperty(edgeLists, dampings, async (list, damping) => {
        const rank = await pageRank(graphOf(list), { ...exact, damping });
        expect(rank.converged).toBe(true);
        expectClose(sharesOf(rank), densePageRank(list, damping));
      }),
    );
  });

  test('agrees with the dense matrix when jumps land on seeds', async () => {
    const cases = edgeLists.chain((list) =>
      fc.tuple(fc.constant(list), fc.subarray([...Array(list.nodes).keys()], { minLength: 1 })),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([list, seeds]) => {
        const weights = Array.from({ length: list.nodes }, (_, node) =>
          seeds.includes(node) ? 1 : 0,
        );
        const rank = await trustRank(graphOf(list), seeds, exact);
        expectClose(sharesOf(rank), densePageRank(list, 0.85, weights));
      }),
    );
  });

  test('reports its sum, with a residual below the tolerance', async () => {
    await fc.assert(
      fc.asyncProperty(edgeLists, async (list) => {
        const rank = await pageRank(graphOf(list), { tolerance: 1e-6 });
        expect(Math.abs(total(sharesOf(rank)) - 1)).toBeLessThan(1e-12);
        expect(rank.converged).toBe(true);
        expect(rank.residual).toBeLessThan(1e-6);
      }),
    );
  });

  test('does not depend on the numbering of nodes', async () => {
    const cases = edgeLists.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...Array(list.nodes).keys()], { minLength: list.nodes }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([list, renamed]) => {
        const name = (node: number): number => renamed[node] ?? node;
        const other: EdgeList = {
          nodes: list.nodes,
          edges: list.edges.map(([from, to]) => [name(from), name(to)]),
        };
        const before = await pageRank(graphOf(list), exact);
        const after = await pageRank(graphOf(other), exact);
        expectClose(
          renamed.map((node) => sharesOf(after)[node] ?? NaN),
          sharesOf(before),
          1e-12,
        );
      }),
    );
  });

  test('does not depend on loops and parallel edges', async () => {
    const plain: EdgeList = {
      nodes: 3,
      edges: [
        [0, 1],
        [1, 2],
        [2, 0],
        [0, 2],
      ],
    };
    const cluttered: EdgeList = {
      nodes: 3,
      edges: [...plain.edges, [0, 1], [1, 1], [0, 2], [2, 2]],
    };
    const { values } = await pageRank(graphOf(plain), exact);
    expect((await pageRank(graphOf(cluttered), exact)).values).toEqual(values);
  });

  test('works without nodes, with one, and without links', async () => {
    const nothing = await pageRank(graphOf({ nodes: 0, edges: [] }));
    expect(nothing).toEqual({
      values: nothing.values,
      mass: 0,
      iterations: 0,
      residual: 0,
      converged: true,
    });
    expect(nothing.values.length).toBe(0);
    expectClose(sharesOf(await pageRank(graphOf({ nodes: 1, edges: [[0, 0]] }))), [1]);
    expectClose(
      sharesOf(await pageRank(graphOf({ nodes: 4, edges: [] }))),
      [0.25, 0.25, 0.25, 0.25],
    );
  });

  test('is bit by bit the same, however many nodes without links are added', async () => {
    await fc.assert(
      fc.asyncProperty(edgeLists, async ({ nodes, edges }) => {
        // One more node, which links to all the added ones and to no other.
        const withNames = (names: number) => {
          const added = Array.from({ length: names }, (_, at): [number, number] => [
            nodes,
            nodes + 1 + at,
          ]);
          const list = { nodes: nodes + 1 + names, edges: [...edges, [0, nodes], ...added] };
          return pageRank(graphOf(list as EdgeList), { tolerance: 1e-6 });
        };
        const [one, many] = [await withNames(1), await withNames(90)];
        expect(many.values.slice(0, nodes + 1)).toEqual(one.values.slice(0, nodes + 1));
        expect(many.iterations).toBe(one.iterations);
      }),
    );
  });

  test('gives nodes with the same donors bit-identical values', async () => {
    const chain: [number, number][] = [
      [0, 1],
      [1, 3],
      [3, 0],
    ];
    const twins = graphOf({ nodes: 5, edges: [...chain, [3, 2], [3, 4], [1, 2], [1, 4]] });
    const { values } = await pageRank(twins, { tolerance: 1e-3 });
    expect(values[2]).toBe(values[4] ?? NaN);
  });

  test('reports that it did not converge', async () => {
    const ring = graphOf({
      nodes: 3,
      edges: [
        [0, 1],
        [1, 2],
        [2, 0],
        [0, 2],
      ],
    });
    const { converged, iterations } = await pageRank(ring, { tolerance: 0 });
    expect({ converged, iterations }).toEqual({ converged: false, iterations: 500 });
  });

  test('is the same when rows span shards', async () => {
    await fc.assert(
      fc.asyncProperty(edgeLists, fc.integer({ min: 1, max: 7 }), async (list, size) => {
        const graph = graphOf(list);
        const cut = { ...graph, in: sharded(graph.in, size) };
        const rank = sharesOf(await pageRank(graph, exact));
        expectClose(sharesOf(await pageRank(cut, exact)), rank, 1e-12);
      }),
    );
  });
});

describe('on several threads', () => {
  test('PageRank has the same values', async () => {
    using executor = startWorkers(3);
    await fc.assert(
      fc.asyncProperty(edgeLists, async (list) => {
        const rank = await pageRank(graphOf(list), { ...exact, executor });
        expect(rank.converged).toBe(true);
        expectClose(sharesOf(rank), densePageRank(list, 0.85));
      }),
      { numRuns: 30 },
    );
  });

  test('rows outside of shared memory are solved too', async () => {
    using executor = startWorkers(2);
    const list: EdgeList = {
      nodes: 3,
      edges: [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
    };
    const graph = graphOf(list);
    const copied = { ...graph, in: sharded(graph.in, 2) };
    const rank = await pageRank(copied, { ...exact, executor });
    expectClose(sharesOf(rank), densePageRank(list, 0.85));
  });
});

describe('TrustRank and Anti-TrustRank', () => {
  const chain = graphOf({
    nodes: 4,
    edges: [
      [0, 1],
      [1, 2],
      [3, 2],
    ],
  });

  test('trust flows along links from the seeds, and nowhere else', async () => {
    const shares = sharesOf(await trustRank(chain, [0], exact));
    const sum = 1 + 0.85 + 0.85 ** 2;
    expectClose(shares, [1 / sum, 0.85 / sum, 0.85 ** 2 / sum, 0]);
  });

  test('distrust flows back to domains that link to the seeds', async () => {
    const shares = sharesOf(await antiTrustRank(chain, [2], exact));
    // Reversed, the seed gives half of its value to each of its two donors.
    const sum = 1 + 0.425 + 0.425 * 0.85 + 0.425;
    expectClose(shares, [(0.425 * 0.85) / sum, 0.425 / sum, 1 / sum, 0.425 / sum]);
  });

  test('both are 0 without seeds', async () => {
    expect([...(await trustRank(chain, [])).values]).toEqual([0, 0, 0, 0]);
    expect([...(await antiTrustRank(chain, [])).values]).toEqual([0, 0, 0, 0]);
  });
});
