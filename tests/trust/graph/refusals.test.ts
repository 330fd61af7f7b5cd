/** Faults in the files of a graph are reported with their line. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { failure } from '../../support/failure.ts';
import { contents, expected, openWorld, ring, written } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

test('malformed lines are skipped and reported', async () => {
  await using world = await openWorld();
  const vertices = [
    '0\tcom.a',
    '1 com.b',
    'x\tcom.c',
    '3\tcom..d',
    '4\tcom.e',
    '5\tcom.?',
    '',
    '7\tcom.f',
    '7\tcom.f',
    '7\tcom.f',
  ];
  const edges = [
    '0\t4',
    '0\t3',
    '4',
    '4\t0\t9',
    '0 4',
    '-1\t0',
    '0\t99999999999999999999',
    '0\t6',
    '4\t7',
    '4\t7',
    '4\t7',
    '4\t7',
  ];
  const files = await written(world, { vertices: vertices.join('\n'), edges: edges.join('\n') });
  const { left_out } = await world.store.importGraph({ name: 'bad', ...files });
  expect(left_out.vertex_lines.examples.map(({ line }) => line)).toEqual([2, 3, 4, 6, 7]);
  expect(left_out.vertex_lines.examples[2]?.message).toBe('not a domain name: "3\\tcom..d"');
  // An edge to a vertex that was skipped is no second fault.
  expect(left_out.edges_of_skipped_vertices).toBe(1);
  expect(left_out.edge_lines.examples.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(left_out.edge_lines.examples[5]?.message).toBe(
    'an id that is not in the vertices file: "0\\t6"',
  );
  expect(contents(world.store.open('bad'))).toEqual(
    expected(
      ['a.com', 'e.com', 'f.com'],
      [
        [0, 1],
        [1, 2],
      ],
    ),
  );
});

test('more malformed lines than allowed are refused, in either file', async () => {
  await using world = await openWorld();
  const files = await written(world, { vertices: '0\tcom.a\nx\ny\n', edges: '0\t0\n\n?\n' });
  const start = (badLinesMax: number) =>
    world.store.importGraph({ name: 'bad', ...files, badLinesMax });
  expect(await failure(start(1))).toMatchObject({
    code: 'invalid_request',
    message: `${files.vertices}: more than 1 malformed lines; the first, line 2: not "id TAB name": "x"`,
  });
  await written(world, { vertices: '0\tcom.a\n1\tcom.b\n', edges: '0\t1\n\n?\n0\t0\n' });
  expect(await failure(start(1))).toMatchObject({
    code: 'invalid_request',
    message: `${files.edges}: more than 1 malformed lines; the first, line 2: not "from TAB to": ""`,
  });
  expect(await start(2)).toMatchObject({ nodes: 2, edges: 1 });
});

test('a small file with mostly malformed lines is refused, with the expected form', async () => {
  await using world = await openWorld();
  const graph = ring(3);
  const attempt = async (changed: Partial<typeof graph>) => {
    const files = await written(world, { ...graph, ...changed });
    const error = await failure(world.store.importGraph({ name: 'small', ...files }));
    return (error as Error).message.replaceAll(`${world.directory}/`, '');
  };
  const form = 'a line must be "from TAB to", two ids of the vertices file, such as "0<TAB>1"';
  const spaced = graph.edges.replaceAll('\t', ' ');
  expect(await attempt({ edges: spaced })).toBe(
    `edges.txt: 5 of 5 lines are malformed; the first, line 1: not "from TAB to": "0 0"; ${form}`,
  );
  expect(await attempt({ edges: graph.edges.replaceAll('\n', '\t1\n') })).toContain('5 of 5');
  expect(await attempt({ edges: '0\n1\n2\n' })).toContain('3 of 3 lines are malformed');
  expect(await attempt({ edges: '7\t8\n0\t1\n8\t9\n' })).toContain(
    '2 of 3 lines are malformed; the first, line 1: an id that is not in the vertices file: "7\\t8"',
  );
  expect(await attempt({ vertices: graph.vertices.replaceAll('\t', ',') })).toEndWith(
    'a line must be "id TAB reversed.domain", such as "0<TAB>com.example"',
  );
  expect(await world.store.list()).toEqual([]);
});

test.each(['.txt', '.txt.gz'] as const)(
  'a byte order mark before %s is no fault',
  async (ending) => {
    await using world = await openWorld();
    const { vertices, edges } = ring(3);
    const marked = { vertices: `\uFEFF${vertices}`, edges: `\uFEFF${edges}` };
    const files = await written(world, marked, ending);
    const { nodes, left_out } = await world.store.importGraph({ name: 'marked', ...files });
    expect(nodes).toBe(3);
    expect([left_out.vertex_lines.count, left_out.edge_lines.count]).toEqual([0, 0]);
  },
);

const cases: [what: string, vertices: string, edges: string, message: string][] = [
  ['one id for two domains', '5\tcom.a\n5\tcom.b\n', '', 'gives id 5 twice'],
  ['the same, far apart', '5\tcom.a\n9007199254740991\tcom.b\n5\tcom.c\n', '', 'gives id 5 twice'],
  ['what is no text', 'x'.repeat(100_000), '', 'no line end in 65536 bytes'],
];

test.each(cases)('%s is refused', async (_, vertices, edges, message) => {
  await using world = await openWorld();
  const files = await written(world, { vertices, edges });
  const imported = world.store.importGraph({ name: 'refused', ...files });
  expect(await failure(imported)).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message),
  });
});

test.each([
  ['no domain', '', '', 'names 0 domains, and '],
  ['no link', '0\tcom.a\n1\tcom.b\n', '', 'has no link between two of them (0 lines, 0 of'],
  ['no link to another', '0\tcom.a\n', '0\t0\n', '(1 lines, 1 of them self-links)'],
])('a graph of %s is refused, also at the next attempt', async (_, vertices, edges, why) => {
  await using world = await openWorld();
  const files = await written(world, { vertices, edges });
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await failure(world.store.importGraph({ name: 'empty', ...files }))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^there is nothing to rank: /),
    });
  }
  const error = await failure(world.store.importGraph({ name: 'empty', ...files }));
  expect(String(error)).toContain(why);
  expect(await world.store.list()).toEqual([]);
  await written(world, ring(3));
  expect(await world.store.importGraph({ name: 'empty', ...files })).toMatchObject({ nodes: 3 });
});

test('a truncated or damaged file is refused', async () => {
  await using world = await openWorld();
  const files = await written(world, ring(3000), '.txt.gz');
  const whole = await Bun.file(files.edges).bytes();
  for (const bytes of [whole.subarray(0, whole.length - 100), whole.toReversed()]) {
    bytes.set([0x1f, 0x8b, 8, 0]);
    await Bun.write(files.edges, bytes);
    const imported = world.store.importGraph({ name: 'cut', ...files });
    expect(await failure(imported)).toMatchObject({
      code: 'invalid_request',
      message: `${files.edges} is damaged or cut short: fetch it again`,
    });
  }
  expect(await world.store.list()).toEqual([]);
});

test('unreadable files, invalid names and too little memory are refused', async () => {
  await using world = await openWorld();
  const files = await written(world, ring(3));
  const { store } = world;
  const missing = `${world.directory}/missing`;
  expect(await failure(store.importGraph({ name: 'a', ...files, edges: missing }))).toMatchObject({
    code: 'not_found',
  });
  const directory = { ...files, edges: world.directory };
  expect(await failure(store.importGraph({ name: 'a', ...directory }))).toMatchObject({
    message: `${world.directory} is a directory: give a file`,
  });
  for (const name of ['', '../a', '.a', 'a/b', 'x'.repeat(65)]) {
    expect(await failure(store.importGraph({ name, ...files }))).toMatchObject({
      code: 'invalid_request',
    });
  }
  expect(await failure(store.importGraph({ name: 'a', ...files, memoryMiB: 8 }))).toMatchObject({
    message: 'an import needs at least 64 MiB',
  });
  await store.importGraph({ name: 'a', ...files });
  expect(await failure(store.importGraph({ name: 'a', ...files }))).toMatchObject({
    message: 'release a exists already: give another name',
  });
});
