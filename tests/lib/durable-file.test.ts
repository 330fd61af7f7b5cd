import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import * as fs from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createOnce, nameOnce, replaceFile, syncDirectory } from '../../src/lib/durable-file.ts';
import { failure } from '../support/failure.ts';

let folder: string;
const path = (name = 'file') => join(folder, name);
const modeOf = async (name?: string) => (await stat(path(name))).mode & 0o777;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zastava-durable-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The operations on files and names, in order; fresh names appear as `file.tmp`. */
async function orderOf(work: () => Promise<unknown>): Promise<string[]> {
  const steps: string[] = [];
  const short = (name: unknown) => relative(folder, String(name)).replace(/\.\w{16}\./, '.') || '.';
  const { open, link, rename } = fs;
  using spies = new DisposableStack();
  const opening = spies.use(spyOn(fs, 'open'));
  opening.mockImplementation(async (name, ...rest) => {
    const file = await open(name, ...rest);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      steps.push(`sync ${short(name)}`);
      await sync();
    };
    return file;
  });
  const linking = spies.use(spyOn(fs, 'link'));
  linking.mockImplementation(async (from, to) => {
    steps.push(`link ${short(from)} ${short(to)}`);
    await link(from, to);
  });
  const renaming = spies.use(spyOn(fs, 'rename'));
  renaming.mockImplementation(async (from, to) => {
    steps.push(`rename ${short(from)} ${short(to)}`);
    await rename(from, to);
  });
  await work();
  return steps;
}

/** Behaves as a file system without hard links. */
function withoutLinks() {
  return spyOn(fs, 'link').mockImplementation(() =>
    Promise.reject(Object.assign(new Error('EPERM: not permitted'), { code: 'EPERM' })),
  );
}

describe('a file that is created once', () => {
  test('is private to its owner, and flushed before and after it gets its name', async () => {
    const steps = await orderOf(() => createOnce(path(), 'text'));
    expect(steps).toEqual(['sync file.tmp', 'link file.tmp file', 'sync .']);
    expect(await readFile(path(), 'utf8')).toBe('text');
    expect(await modeOf()).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('is created by one of several concurrent callers', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const made = await Promise.all(texts.map((text) => createOnce(path(), text)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path(), 'utf8')).toBe(texts[made.indexOf(true)] ?? '');
    expect(await createOnce(path(), 'late')).toBe(false);
    expect(await readFile(path(), 'utf8')).not.toBe('late');
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('does not replace a dangling link', async () => {
    await symlink('nowhere', path());
    expect(await createOnce(path(), 'text')).toBe(false);
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('leaves nothing behind if it fails', async () => {
    using linking = spyOn(fs, 'link').mockRejectedValue(new Error('no more room'));
    expect(await failure(createOnce(path(), 'text'))).toMatchObject({ message: 'no more room' });
    expect(linking).toHaveBeenCalledTimes(1);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a name that is given once', () => {
  beforeEach(() => writeFile(path('part'), 'new'));

  test('is never taken from another file, with or without hard links', async () => {
    await writeFile(path(), 'old');
    expect(await nameOnce(path('part'), path())).toBe(false);
    using _ = withoutLinks();
    expect(await nameOnce(path('part'), path())).toBe(false);
    expect(await readFile(path(), 'utf8')).toBe('old');
    expect(await readFile(path('part'), 'utf8')).toBe('new');
  });

  test('is given on file systems without hard links', async () => {
    using _ = withoutLinks();
    expect(await nameOnce(path('part'), path())).toBe(true);
    expect(await readFile(path(), 'utf8')).toBe('new');
    expect(await createOnce(path('other'), 'text')).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(['file', 'other']);
  });

  test("is refused with the system's error", async () => {
    expect(await failure(nameOnce(path('none'), path()))).toMatchObject({ code: 'ENOENT' });
    expect(await failure(nameOnce(path('part'), path('no/where')))).toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('a file that is replaced', () => {
  test('has the new bytes and permissions, flushed before and after it gets its name', async () => {
    await writeFile(path(), 'old', { mode: 0o644 });
    const bytes = new TextEncoder().encode('new');
    const steps = await orderOf(() => replaceFile(path(), bytes, { mode: 0o600 }));
    expect(steps).toEqual(['sync file.tmp', 'rename file.tmp file', 'sync .']);
    expect(await readFile(path(), 'utf8')).toBe('new');
    expect(await modeOf()).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('may be new, and replaces a leftover part', async () => {
    await writeFile(path('file.part'), 'left by a process that was killed');
    const part = path('file.part');
    const steps = await orderOf(() => replaceFile(path(), 'new', { mode: 0o640, part }));
    expect(steps).toEqual(['sync file.part', 'rename file.part file', 'sync .']);
    expect(await readFile(path(), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('stays unchanged if that fails, with nothing beside it', async () => {
    await mkdir(path('file/in-the-way'), { recursive: true });
    const part = path('file.part');
    expect(await failure(replaceFile(path(), 'new', { mode: 0o600 }))).toBeInstanceOf(Error);
    expect(await failure(replaceFile(path(), 'new', { mode: 0o600, part }))).toBeInstanceOf(Error);
    expect(await readdir(folder)).toEqual(['file']);
  });
});

test("a missing directory can't be flushed", async () => {
  expect(await failure(syncDirectory(path('none')))).toMatchObject({ code: 'ENOENT' });
});
