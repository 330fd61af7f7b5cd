import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStore } from '../../src/images/index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zastava-images-'));
});
afterAll(() => rm(folder, { recursive: true }));

const bytes = Uint8Array.of(1, 2, 3, 4);

describe('images on disk', () => {
  test('are read whole or in part, and are gone once they are removed', async () => {
    const store = new DiskStore(join(folder, 'images'));
    await store.put('abc.png', bytes);
    expect(await store.get('abc.png')).toEqual(bytes);
    expect(await store.get('abc.png', { start: 1, end: 3 })).toEqual(Uint8Array.of(2, 3));
    await store.remove('abc.png');
    await store.remove('abc.png');
    expect(await store.get('abc.png')).toBeUndefined();
  });

  test('leave nothing behind when they can not be written', async () => {
    const store = new DiskStore(join(folder, 'full'));
    // A folder of that name stands where the file should go.
    await mkdir(join(folder, 'full/de/def.png/in-the-way'), { recursive: true });
    const failure = await store.put('def.png', bytes).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(await readdir(join(folder, 'full/de'))).toEqual(['def.png']);
  });

  test('are removed with what a crash left half written', async () => {
    const store = new DiskStore(join(folder, 'crashed'));
    await store.put('abc.png', bytes);
    await Bun.write(join(folder, 'crashed/ab/abc.png.part'), bytes);
    await store.remove('abc.png');
    expect(await readdir(join(folder, 'crashed/ab'))).toEqual([]);
    // A write that failed before its folder was made.
    await store.remove('xyz.png');
  });
});
