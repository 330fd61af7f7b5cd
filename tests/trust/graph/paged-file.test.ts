/** Files read at random through a small cache. */
import { expect, test } from 'bun:test';
import { heapStats } from 'bun:jsc';
import { truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { PagedArray } from '../../../src/trust/graph/release/paged-array.ts';
import { OVERLAP_BYTES, PagedFile } from '../../../src/trust/graph/release/paged-file.ts';
import { openWorld } from './world.ts';

test('a paged file returns the bytes at each position, in any order of reads', async () => {
  await using world = await openWorld();
  const path = join(world.directory, 'file');
  const bytes = Uint8Array.from({ length: 30_000 }, (_, at) => (at * 7919) >>> 5);
  await Bun.write(path, bytes);
  const places = fc.array(fc.nat(bytes.length - 1), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 4), places, (cachedPages, wanted) => {
      const file = new PagedFile(path, cachedPages);
      expect(file.size).toBe(bytes.length);
      for (const place of wanted) {
        const at = file.locate(place);
        const length = Math.min(OVERLAP_BYTES, bytes.length - place);
        expect(file.bytes.slice(at, at + length)).toEqual(bytes.slice(place, place + length));
      }
    }),
  );
});

test('numbers of each type are read, also from a removed file', async () => {
  await using world = await openWorld();
  const path = join(world.directory, 'file');
  const numbers = [0, 1, 200, 7, 255];
  const kinds = {
    f64: Float64Array,
    f32: Float32Array,
    u32: Uint32Array,
    u8: Uint8Array,
  };
  for (const [type, Kind] of Object.entries(kinds)) {
    await Bun.write(path, Kind.from(numbers));
    const array = new PagedArray(path, type as keyof typeof kinds);
    unlinkSync(path);
    expect(array.length).toBe(numbers.length);
    expect(numbers.map((_, index) => array.at(index))).toEqual(numbers);
  }
});

test('a paged file of any size does not count as memory in use', async () => {
  await using world = await openWorld();
  const path = join(world.directory, 'file');
  await Bun.write(path, '');
  truncateSync(path, 2 ** 32);
  const before = heapStats().extraMemorySize;
  const array = new PagedArray(path, 'u32');
  for (let index = 0; index < array.length; index += 2 ** 20) expect(array.at(index)).toBe(0);
  expect(heapStats().extraMemorySize - before).toBeLessThan(2 ** 26);
});
