import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStore } from '../../src/images/index.ts';
import { ImageStoreUnavailableError } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';
import { openGateway } from '../support/gateway.ts';

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

  test('cannot be listed by other users, even if an earlier version allowed it', async () => {
    const path = join(folder, 'open');
    const store = new DiskStore(path);
    await store.closeToOthers();
    await store.put('abc.png', bytes);
    const modeOf = async (name: string) => (await stat(name)).mode & 0o777;
    expect([await modeOf(path), await modeOf(join(path, 'ab'))]).toEqual([0o700, 0o700]);
    await chmod(path, 0o755);
    await store.closeToOthers();
    expect(await modeOf(path)).toBe(0o700);
    expect(await store.get('abc.png')).toEqual(bytes);
  });

  test('report a full disk as such', async () => {
    const store = new DiskStore(join(folder, 'no-room'));
    await store.put('abc.png', bytes);
    // All writes here go to a device that is always full.
    await symlink('/dev/full', join(folder, 'no-room/ab/abd.png.part'));
    const error = await failure(store.put('abd.png', bytes));
    expect(error).toBeInstanceOf(ImageStoreUnavailableError);
    expect(error).toMatchObject({ reason: 'disk_full' });
    expect(String(error)).toContain('its disk is full: free space on it');
  });

  test('are closed to others by the next start', async () => {
    const dataDir = join(folder, 'data');
    const path = join(dataDir, 'images');
    await mkdir(path, { recursive: true, mode: 0o755 });
    await using gateway = await openGateway('sqlite', { dataDir });
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(gateway.dataDir).toBe(dataDir);
  });

  test('leave nothing behind when they cannot be written', async () => {
    const store = new DiskStore(join(folder, 'full'));
    // A folder has the name that the file should get.
    await mkdir(join(folder, 'full/de/def.png/in-the-way'), { recursive: true });
    expect(await failure(store.put('def.png', bytes))).toBeInstanceOf(Error);
    expect(await readdir(join(folder, 'full/de'))).toEqual(['def.png']);
  });

  test('are removed with files that a crash left half written', async () => {
    const store = new DiskStore(join(folder, 'crashed'));
    await store.put('abc.png', bytes);
    await Bun.write(join(folder, 'crashed/ab/abc.png.part'), bytes);
    await store.remove('abc.png');
    expect(await readdir(join(folder, 'crashed/ab'))).toEqual([]);
    // A write that failed before its folder was created.
    await store.remove('xyz.png');
  });
});
