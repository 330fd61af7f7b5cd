/** Graphs in text form become releases. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { importPhases, type ImportProgress } from '../../../src/trust/graph/import/progress.ts';
import { reverseName } from '../../../src/trust/graph/reversed-name.ts';
import { contents, expected, openWorld, ring, tinyLimits, written } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

/** Ids as files may have them: dense, with gaps, far apart, and up to 2^53 − 1. */
const idSchemes: readonly ((index: number) => number)[] = [
  (index) => index,
  (index) => index * 3 + 7,
  (index) => index * 123_456_789_012 + 5,
  (index) => Number.MAX_SAFE_INTEGER - index * 4_294_967_296,
];
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?$/);
const domain = fc.tuple(label, fc.constantFrom('com', 'ru', 'co.uk', 'xn--p1ai'));

const anyGraph = fc
  .uniqueArray(
    domain.map(([name, ending]) => `${name}.${ending}`),
    { minLength: 2, maxLength: 40 },
  )
  .chain((domains) => {
    const node = fc.nat(domains.length - 1);
    return fc.record({
      domains: fc.constant(domains),
      edges: fc.array(fc.tuple(node, node), { maxLength: 200 }),
      scheme: fc.constantFrom(...idSchemes),
      sorted: fc.boolean(),
    });
  })
  // A node without links is refused.
  .filter(({ edges }) => edges.some(([from, to]) => from !== to));

test('any list of edges gives the graph that is built in memory', async () => {
  await using world = await openWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGraph, async ({ domains, edges, scheme, sorted }) => {
      const byName = domains
        .map(reverseName)
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const inFile = sorted ? byName : domains.map(reverseName);
      const vertices = inFile.map((name, index) => `${scheme(index)}\t${name}\t1\n`).join('');
      const lines = edges.map(([from, to]) => `${scheme(from)}\t${scheme(to)}\n`).join('');
      const name = `run${run++}`;
      const files = await written(world, { vertices, edges: lines });
      await world.store.importGraph({ name, ...files, limits: tinyLimits });
      const release = world.store.open(name);
      const node = (index: number) => byName.indexOf(inFile[index] ?? '');
      const wanted = edges.map(([from, to]) => [node(from), node(to)] as const);
      expect(contents(release)).toEqual(expected(byName.map(reverseName), wanted));
      for (const [index, found] of byName.entries()) {
        expect(release.find(reverseName(found))).toBe(index);
      }
      await world.store.remove(name);
    }),
    { numRuns: 25 },
  );
}, 300_000);

describe('a graph is imported', () => {
  const graph = ring(3000);

  test.each(['.txt', '.txt.gz'] as const)('as %s', async (ending) => {
    await using world = await openWorld();
    const files = await written(world, graph, ending);
    const manifest = await world.store.importGraph({ name: 'ring', ...files });
    expect(manifest).toMatchObject({ nodes: 3000, edges: 5998, columns: [] });
    expect(manifest.left_out).toMatchObject({ self_loops: 1, repeated_edges: 0 });
    const release = world.store.open('ring');
    expect(release.nameOf(0)).toBe('site00000.com');
    expect(release.find('site02999.com')).toBe(2999);
    expect(release.find('site03000.com')).toBeUndefined();
    expect(release.find('')).toBeUndefined();
    expect(release.find('сайт.рф')).toBeUndefined();
    expect([...release.acceptors(7)]).toEqual([0, 8]);
    expect([...release.donors(8)]).toEqual([7]);
    expect(release.donorCount(0)).toBe(2999);
    expect(release.acceptorCount(0)).toBe(1);
  });

  test('from several gzipped parts in one file, and from the output of a program', async () => {
    await using world = await openWorld();
    const middle = graph.edges.indexOf('\n', graph.edges.length / 2) - 3;
    const parts = [graph.edges.slice(0, middle), graph.edges.slice(middle)];
    const path = `${world.directory}/parts.gz`;
    await Bun.write(path, Buffer.concat(parts.map((part) => Bun.gzipSync(Buffer.from(part)))));
    const vertices = {
      label: 'own crawl',
      version: '1',
      async *text() {
        for (const line of graph.vertices.match(/[^\n]{1,5}|\n/g) ?? []) yield Buffer.from(line);
      },
    };
    const manifest = await world.store.importGraph({ name: 'ring', vertices, edges: path });
    expect(manifest).toMatchObject({ nodes: 3000, edges: 5998, source: { vertices: 'own crawl' } });
  });

  test('without a final line end, and with line ends of Windows', async () => {
    await using world = await openWorld();
    const files = await written(world, {
      vertices: '0\tcom.a\r\n1\tcom.b\r\n2\tcom.c',
      edges: '0\t1\r\n1\t2',
    });
    await world.store.importGraph({ name: 'three', ...files });
    const wanted = expected(
      ['a.com', 'b.com', 'c.com'],
      [
        [0, 1],
        [1, 2],
      ],
    );
    expect(contents(world.store.open('three'))).toEqual(wanted);
  });
});

test('names are normalised, and two ids of one name become one domain', async () => {
  await using world = await openWorld();
  const files = await written(world, {
    vertices: [
      '0\tcom.Example',
      '1\tcom.example.www',
      '2\tuk.co.www',
      '3\tрф.пример',
      '4\tcom.b_c',
      '',
    ].join('\n'),
    edges: '0\t2\n1\t2\n0\t1\n3\t0\n4\t1\n',
  });
  const { left_out } = await world.store.importGraph({ name: 'names', ...files });
  expect(left_out).toMatchObject({ self_loops: 1, repeated_edges: 1 });
  const release = world.store.open('names');
  expect(contents(release)).toEqual(
    expected(
      ['b_c.com', 'example.com', 'www.co.uk', 'xn--e1afmkfd.xn--p1ai'],
      [
        [0, 1],
        [1, 2],
        [3, 1],
      ],
    ),
  );
});

test('the last progress of each phase is complete, also with repeated edges', async () => {
  await using world = await openWorld();
  const { vertices, edges } = ring(10);
  const files = await written(world, { vertices, edges: edges.repeat(2) });
  const last = new Map<string, ImportProgress>();
  await world.store.importGraph({
    name: 'a',
    ...files,
    onProgress: (progress) => last.set(progress.phase, progress),
  });
  expect([...last.keys()]).toEqual([...importPhases]);
  for (const { done, total } of last.values()) expect(done).toBe(total ?? NaN);
});
