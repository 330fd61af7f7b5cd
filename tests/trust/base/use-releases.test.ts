/**
 * A base beside the current release: how both are put into use, which figures count for a base, and how checks use it.
 */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { BaseRelease } from '../../../src/trust/base/base-release.ts';
import { useReleases, type UseOptions } from '../../../src/trust/base/use-releases.ts';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import { failure } from '../../support/failure.ts';
import { isTrustedByRule } from '../../support/link-graph.ts';
import { importLinks, type Links } from '../check/links.ts';
import { openWorld, ring, written, type World } from '../graph/world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

const asBefore: UseOptions = {
  name: undefined,
  base: undefined,
  since: undefined,
  onStep: () => undefined,
  onCheck: () => Promise.resolve(),
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A current release that checks could be answered from. */
async function withCurrent({ store }: World, links: Links): Promise<void> {
  await importLinks(store, 'crawl', links);
  const release = store.open('crawl');
  release.writeColumns({ pr: new Float64Array(release.nodes) }, { formula: '1' });
  store.use('crawl');
}

function factsOf(store: GraphStore, domain: string) {
  const base = store.inUseNow().base;
  return base && BaseRelease.of(base)?.find(domain);
}

test('a copied release is used only if all its checksums match', async () => {
  await using world = await openWorld();
  const { store } = world;
  for (const name of ['first', 'second']) {
    await store.importGraph({ name, ...(await written(world, ring(3))) });
  }
  const checked: number[] = [];
  const use = () =>
    useReleases(store, {
      ...asBefore,
      name: 'second',
      onCheck: (bytes) => {
        checked.push(bytes);
        return Promise.resolve();
      },
    });
  expect(await failure(use())).toMatchObject({
    message: 'second has no scores yet: zastava trust rank --release second',
  });
  store.use('first');
  store.open('second').writeColumns({ pr: Float64Array.of(1, 2, 3) }, { formula: '1' });
  const directory = join(world.directory, 'trust/releases/second');
  const [column = ''] = readdirSync(directory).filter((path) => path.startsWith('column.'));
  const good = await Bun.file(join(directory, column)).bytes();
  await Bun.write(join(directory, column), new Uint8Array(good.length));
  expect(await failure(use())).toMatchObject({
    code: 'invalid_request',
    message: `release second is damaged: ${column} has changed; copy its directory again, or import it again`,
  });
  expect(store.currentName()).toBe('first');
  await Bun.write(join(directory, column), good);
  await use();
  expect(store.currentName()).toBe('second');
  const sizes = readdirSync(directory)
    .filter((path) => path !== 'manifest.json')
    .map((path) => Bun.file(join(directory, path)).size);
  expect(checked).toEqual([sum(sizes), sum(sizes)]);
});

test('a base knows donors, institutions among them, and when a domain was first seen', async () => {
  await using world = await openWorld();
  const { store } = world;
  await withCurrent(world, [['a.ru', 'b.ru']]);
  await importLinks(store, 'spring', [
    ['msu.edu', 'b.ru'],
    ['a.ru', 'b.ru'],
  ]);
  await importLinks(store, 'summer', [
    ['msu.edu', 'b.ru'],
    ['x.ru', 'c.ru'],
  ]);
  await importLinks(store, 'autumn', [
    ['msu.edu', 'b.ru'],
    ['ox.ac.uk', 'b.ru'],
    ['nasa.gov', 'b.ru'],
    ['gov.io', 'b.ru'],
    ['b.ru', 'c.ru'],
    ['b.ru', 'd.ru'],
  ]);
  expect(factsOf(store, 'b.ru')).toBeUndefined();
  expect(await useReleases(store, { ...asBefore, base: 'spring' })).toEqual({
    current: 'crawl',
    base: 'spring',
  });
  expect(factsOf(store, 'b.ru')).toEqual({
    release: 'spring',
    donors: 2,
    acceptors: 0,
    institutionDonors: 1,
    firstSeen: 'spring',
    before: null,
  });
  // Each base is compared with the previous one, and so knows its findings.
  await useReleases(store, { ...asBefore, base: 'summer' });
  await useReleases(store, { ...asBefore, base: 'autumn' });
  expect(factsOf(store, 'b.ru')).toEqual({
    release: 'autumn',
    donors: 4,
    acceptors: 2,
    institutionDonors: 3,
    firstSeen: 'spring',
    before: { release: 'summer', donors: 1 },
  });
  expect(factsOf(store, 'c.ru')).toMatchObject({ firstSeen: 'summer', institutionDonors: 0 });
  expect(factsOf(store, 'd.ru')).toMatchObject({ firstSeen: 'autumn' });
  expect(factsOf(store, 'nobody.ru')).toMatchObject({ donors: 0, firstSeen: null });
  expect(await store.list()).toMatchObject([
    { name: 'crawl', current: true, base: false },
    { name: 'spring', current: false, base: false },
    { name: 'summer', current: false, base: false },
    { name: 'autumn', current: false, base: true },
  ]);
  // The earlier releases are not needed any more; a base is.
  await store.remove('spring');
  await store.remove('summer');
  expect(await failure(store.remove('autumn'))).toMatchObject({
    message: 'release autumn is in use as the base: zastava trust release use --no-base first',
  });
  expect(factsOf(new GraphStore(join(world.directory, 'trust')), 'b.ru')).toMatchObject({
    firstSeen: 'spring',
  });
  // A new ranking of the base keeps its counts, and `use` of another current release keeps the base.
  store.open('autumn').writeColumns({ pr: new Float64Array(store.open('autumn').nodes) });
  store.use('crawl');
  expect(factsOf(store, 'b.ru')).toMatchObject({ institutionDonors: 3 });
  expect(await useReleases(store, { ...asBefore, base: null })).toEqual({
    current: 'crawl',
    base: undefined,
  });
  expect(factsOf(store, 'b.ru')).toBeUndefined();
});

test('a base without scores is refused if there is no current release', async () => {
  await using world = await openWorld();
  const { store } = world;
  await importLinks(store, 'web', [['a.ru', 'b.ru']]);
  expect(await failure(useReleases(store, { ...asBefore, base: 'web' }))).toMatchObject({
    message: 'web has no scores yet: zastava trust rank --release web',
  });
  expect(store.inUse()).toEqual({ current: undefined, base: undefined });
});

test('a base that cannot be opened does not hide the current release, and vice versa', async () => {
  await using world = await openWorld();
  const { store, directory } = world;
  await withCurrent(world, [['a.ru', 'b.ru']]);
  await importLinks(store, 'web', [['a.ru', 'b.ru']]);
  await useReleases(store, { ...asBefore, base: 'web' });
  await rm(join(directory, 'trust/releases/web/manifest.json'));
  const errors: unknown[] = [];
  const another = new GraphStore(join(directory, 'trust'), (error) => errors.push(error));
  expect(another.inUseNow().current?.name).toBe('crawl');
  expect(another.inUseNow().base).toBeUndefined();
  expect(errors).toHaveLength(1);
  expect(another.currentFault()).toStartWith("release web is in use but can't be opened: ");
});

test('counts of institutions and first sights equal a plain count, for any two graphs', async () => {
  const domain = fc.constantFrom('a.ru', 'b.com', 'c.edu', 'd.gov', 'e.ac.uk', 'f.gov.uk', 'g.io');
  const graph = fc.array(fc.tuple(domain, domain), { minLength: 12, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(graph, graph, async (before, after) => {
      await using world = await openWorld();
      const { store } = world;
      await withCurrent(world, [['a.ru', 'b.com']]);
      await importLinks(store, 'before', before);
      await importLinks(store, 'after', after);
      await useReleases(store, { ...asBefore, base: 'after', since: 'before' });
      const donorsIn = (links: Links, of: string) =>
        new Set(links.filter(([from, to]) => to === of && from !== of).map(([from]) => from));
      for (const name of new Set(after.flat())) {
        const donors = donorsIn(after, name);
        expect(factsOf(store, name)).toMatchObject({
          donors: donors.size,
          institutionDonors: [...donors].filter(isTrustedByRule).length,
          firstSeen: before.flat().includes(name) ? 'before' : 'after',
          before: { release: 'before', donors: donorsIn(before, name).size },
        });
      }
    }),
    { numRuns: 3 },
  );
});
