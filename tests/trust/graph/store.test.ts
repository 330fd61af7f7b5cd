/** Several releases: which one is current, which ones readers keep open, and which damage is detected. */
import { expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import { loadRows, mapRows } from '../../../src/trust/graph/release/row-files.ts';
import { failure } from '../../support/failure.ts';
import { contents, openWorld, ring, rowLists, valuesOf, written, type World } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

async function imported(world: World, name: string, size: number): Promise<void> {
  await world.store.importGraph({ name, ...(await written(world, ring(size))) });
}

/** Another process, or this one after a restart. */
function another({ directory }: World, onError?: (error: unknown) => void): GraphStore {
  return new GraphStore(join(directory, 'trust'), onError);
}

test('no release is current until one is used; a removed one stays readable while open', async () => {
  await using world = await openWorld();
  const { store } = world;
  expect(store.current()).toBeUndefined();
  expect(await store.list()).toEqual([]);
  await imported(world, 'first', 10);
  await imported(world, 'second', 20);
  expect(another(world).current()).toBeUndefined();
  store.use('first');
  const held = store.current();
  expect(held?.name).toBe('first');
  const before = held && contents(held);
  store.use('second');
  expect(store.current()?.name).toBe('second');
  expect(another(world).current()?.name).toBe('second');
  expect(await store.list()).toMatchObject([
    { name: 'first', domains: 10, current: false },
    { name: 'second', domains: 20, current: true },
  ]);
  await store.remove('first');
  expect(held && contents(held)).toEqual(before);
  expect(() => store.open('first')).toThrow('there is no release first');
  expect(await failure(store.remove('second'))).toMatchObject({ code: 'invalid_request' });
  expect(() => store.use('third')).toThrow('there is no release third');
  expect(store.current()?.name).toBe('second');
});

test('leftovers of killed rankings, removals and imports are removed, and nothing else', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 3);
  const { store } = world;
  store.open('first').writeColumns({ pr: Float64Array.of(1, 2, 3) });
  const directory = join(world.directory, 'trust');
  const within = (path: string) => readdirSync(join(directory, path)).toSorted();
  const whole = within('releases/first');
  await Bun.write(join(directory, 'releases/first/column.pr.0badf00d.f64'), 'half');
  await Bun.write(join(directory, 'removed/second.0badf00d/manifest.json'), '{}');
  await Bun.write(join(directory, 'imports/resumable/pairs'), 'half');
  await Bun.write(join(directory, 'imports/given-up/pairs'), 'half');
  await Bun.write(join(directory, 'imports/running/pairs'), 'half');
  await store.exclusively('running', () => another(world).tidy((name) => name !== 'resumable'));
  expect(within('releases/first')).toEqual(whole);
  expect(within('.')).not.toContain('removed');
  const imports = within('imports').filter((name) => !name.includes('.lock'));
  expect(imports).toEqual(['resumable', 'running']);
  expect(await store.findDamage('first')).toEqual([]);
});

test('while one process works on a release, others are refused, but not readers', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 3);
  const { store } = world;
  await Bun.write(
    join(world.directory, 'trust/releases/first/column.pr.0badf00d.f64'),
    'being written',
  );
  await store.exclusively('first', async () => {
    const busy = { code: 'invalid_request', message: expect.stringContaining('wait for that') };
    expect(await failure(another(world).remove('first'))).toMatchObject(busy);
    await another(world).tidy();
    expect(another(world).open('first').nodes).toBe(3);
  });
  expect(readdirSync(join(world.directory, 'trust/releases/first'))).toContain(
    'column.pr.0badf00d.f64',
  );
  await store.remove('first');
  expect(await store.list()).toEqual([]);
});

test('an abandoned import can be removed by its name; an absent one is not_found', async () => {
  await using world = await openWorld();
  const { store } = world;
  await Bun.write(join(world.directory, 'trust/imports/half/pairs'), 'half');
  await store.remove('half');
  expect(readdirSync(join(world.directory, 'trust/imports'))).not.toContain('half');
  expect(await failure(store.remove('half'))).toMatchObject({ code: 'not_found' });
  expect(await failure(store.remove('../half'))).toMatchObject({ code: 'invalid_request' });
});

test('a running process sees a release that another one makes current', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 10);
  await imported(world, 'second', 20);
  world.store.use('first');
  const server = another(world);
  expect(server.current()?.name).toBe('first');
  world.store.use('second');
  while (server.current()?.name === 'first') await Bun.sleep(50);
  expect(server.current()?.name).toBe('second');
});

test('a crash while a release is made current leaves the old one', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 10);
  world.store.use('first');
  await Bun.write(join(world.directory, 'trust/current.part'), 'sec');
  expect(another(world).current()?.name).toBe('first');
});

test('a current release that cannot be opened is reported, and the previous one is used', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 10);
  world.store.use('first');
  const errors: unknown[] = [];
  const server = another(world, (error) => errors.push(error));
  await Bun.write(join(world.directory, 'trust/current'), 'absent\n');
  expect(server.current()).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'not_found' }]);
});

test('it is reported once, though opening it is attempted each second', async () => {
  await using world = await openWorld();
  await imported(world, 'first', 10);
  const errors: unknown[] = [];
  const server = another(world, (error) => errors.push(error));
  let seconds = 0;
  const now = spyOn(performance, 'now').mockImplementation(() => seconds * 1000);
  try {
    const refusal = async (name: string) => {
      await Bun.write(join(world.directory, 'trust/current'), `${name}\n`);
      for (const end = seconds + 5; seconds < end; seconds++) server.current();
      return errors.length;
    };
    expect(await refusal('absent')).toBe(1);
    expect(await refusal('gone')).toBe(2);
    expect(await refusal('first')).toBe(2);
    expect(server.current()?.name).toBe('first');
  } finally {
    now.mockRestore();
  }
});

test('a release with missing files or wrong sizes is not opened', async () => {
  await using world = await openWorld();
  await imported(world, 'a', 100);
  const { store } = world;
  store.open('a').writeColumns({ pr: new Float64Array(100) });
  store.use('a');
  expect(store.currentFault()).toBeUndefined();
  const directory = join(world.directory, 'trust/releases/a');
  for (const path of readdirSync(directory)) {
    const full = join(directory, path);
    const bytes = await Bun.file(full).bytes();
    const name = path === 'manifest.json' ? 'damaged: import it again' : path;
    await Bun.write(full, bytes.subarray(0, -2));
    expect(() => another(world).open('a')).toThrow(name);
    expect(store.currentFault()).toStartWith("release a is in use but can't be opened: ");
    expect(store.currentFault()).toContain(name);
    await Bun.write(full, bytes);
  }
  expect(another(world).open('a').nodes).toBe(100);
});

test('new columns appear together, in releases opened afterwards', async () => {
  await using world = await openWorld();
  await imported(world, 'a', 3);
  const { store } = world;
  const first = store.open('a');
  first.writeColumns({
    pr: Float64Array.of(0.5, 0.25, 0.125),
    seeds: Uint8Array.of(0, 1, 2),
  });
  expect(first.column('pr')).toBeUndefined();
  const second = store.open('a');
  expect(second.manifest.columns.map(({ name }) => name)).toEqual(['pr', 'seeds']);
  expect(valuesOf(second, 'pr')).toEqual([0.5, 0.25, 0.125]);
  second.writeColumns({
    pr: Float32Array.of(1, 2, 3),
    more: Uint32Array.of(4, 5, 2 ** 32 - 1),
    few: Uint8Array.of(7, 8, 9),
  });
  // Unchanged since it was opened, though its file is gone.
  expect(valuesOf(second, 'pr')).toEqual([0.5, 0.25, 0.125]);
  const third = store.open('a');
  expect(valuesOf(third, 'pr')).toEqual([1, 2, 3]);
  expect(valuesOf(third, 'more')).toEqual([4, 5, 2 ** 32 - 1]);
  expect(valuesOf(third, 'few')).toEqual([7, 8, 9]);
  expect(third.column('seeds')).toBeUndefined();
  expect(() => third.writeColumns({ pr: Float64Array.of(1) })).toThrow('1 values for 3 nodes');
  expect(await store.findDamage('a')).toEqual([]);
});

test('names are found in a release with more blocks than the cache of first steps holds', async () => {
  await using world = await openWorld();
  const size = 300_000;
  await imported(world, 'large', size);
  const release = world.store.open('large');
  for (let node = 0; node < size; node += 97) {
    const name = release.nameOf(node);
    expect(release.find(name)).toBe(node);
    expect(release.find(`${name}x`)).toBeUndefined();
  }
});

test('rows can be loaded or mapped from their files', async () => {
  await using world = await openWorld();
  await imported(world, 'a', 100);
  const release = world.store.open('a');
  for (const direction of ['out', 'in'] as const) {
    const wanted = contents(release)[direction];
    const loaded = loadRows(release.rowFiles(direction));
    expect(rowLists(loaded)).toEqual(wanted);
    expect(loaded.offsets.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(rowLists(mapRows(release.rowFiles(direction)))).toEqual(wanted);
  }
});

test('damage to any file is found', async () => {
  await using world = await openWorld();
  await imported(world, 'a', 100);
  const { store } = world;
  store.open('a').writeColumns({ pr: new Float64Array(100) });
  expect(await store.findDamage('a')).toEqual([]);
  const directory = join(world.directory, 'trust/releases/a');
  const paths = readdirSync(directory).filter((path) => path !== 'manifest.json');
  expect(paths).toHaveLength(7);
  for (const path of paths) {
    const full = join(directory, path);
    const bytes = await Bun.file(full).bytes();
    const at = bytes.length >> 1;
    await Bun.write(
      full,
      bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
    );
    expect(await store.findDamage('a')).toEqual([`${path} has changed`]);
    await appendFile(full, 'x');
    expect(await store.findDamage('a')).toEqual([`${path} does not have ${bytes.length} bytes`]);
    await rm(full);
    expect(await store.findDamage('a')).toEqual([`${path} is missing`]);
    await Bun.write(full, bytes);
  }
  expect(await store.findDamage('a')).toEqual([]);
});
