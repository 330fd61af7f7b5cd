/** Which of the two `bin/zastava` runs: the compiled executable, or the sources. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const launcher = resolve(import.meta.dir, '../../bin/zastava');
const MINUTE_MS = 60_000;
/** For the collector: the memory of the machine, in bytes, and whether code is kept; the allocator's pause, in ms. */
const MEMORY = '1073741824 1 2000';
/** Options that keep the runtime from files of the current folder. */
const alone = '--no-env-file --config=/dev/null';
const sources = [
  'src/main.ts',
  'src/lib/one.ts',
  'web/main.tsx',
  'package.json',
  'package-lock.json',
];

/** A checkout whose runtime and executable only report that they were run, and with what. */
let checkout: string;
const place = (path: string): string => join(checkout, path);

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'zastava launcher-'));
  await Promise.all(
    ['bin', 'dist', 'src/lib'].map((path) => mkdir(place(path), { recursive: true })),
  );
  await copyFile(launcher, place('bin/zastava'));
  const report =
    'echo "$BUN_CONFIG_MAX_HTTP_REQUESTS" "$@"; echo "$BUN_JSC_forceRAMSize $BUN_JSC_forceCodeBlockLiveness $MIMALLOC_PURGE_HOLES_MIN_INTERVAL"\n';
  await Bun.write(place('bin/bun'), `echo sources; ${report}`);
  await Bun.write(place('dist/zastava'), `#!/bin/sh\necho compiled; ${report}`);
  await chmod(place('dist/zastava'), 0o755);
  for (const path of sources) {
    await Bun.write(place(path), path);
  }
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

async function started(...words: string[]): Promise<string[]> {
  const text = await Bun.$`sh ${place('bin/zastava')} ${words}`
    .cwd(tmpdir())
    .env({ PATH: process.env['PATH'] })
    .text();
  return text.trimEnd().split('\n');
}

/** The executable has the time of its sources. */
async function compiledAt(ms: number): Promise<void> {
  await utimes(place('dist/zastava'), new Date(ms), new Date(ms));
}

describe('bin/zastava', () => {
  test('runs the compiled product while the sources are unchanged', async () => {
    await compiledAt(Date.now() + MINUTE_MS);
    const lines = ['compiled', '16384 user add Анна К.', MEMORY];
    expect(await started('user', 'add', 'Анна К.')).toEqual(lines);
  });

  test('runs the sources if nothing was compiled', async () => {
    await rm(place('dist'), { recursive: true });
    const lines = ['sources', ` ${alone} ${place('src/main.ts')} serve`, MEMORY];
    expect(await started('serve')).toEqual(lines);
  });

  test('runs the sources while they are watched', async () => {
    await compiledAt(Date.now() + MINUTE_MS);
    const [which, what] = await started('--watch', 'serve');
    expect([which, what]).toEqual(['sources', ` ${alone} --watch ${place('src/main.ts')} serve`]);
  });

  test.each(sources)(
    'runs the sources after %s was saved, also with an older date',
    async (path) => {
      const changes = await Promise.all(
        sources.map(async (one) => (await stat(place(one))).ctimeMs),
      );
      const last = Math.ceil(Math.max(...changes));
      await compiledAt(last);
      expect((await started())[0]).toBe('compiled');
      // The time of a change can't be set, so this saves until the clock has advanced.
      do await utimes(place(path), new Date(0), new Date(0));
      while ((await stat(place(path))).ctimeMs <= last);
      expect((await started())[0]).toBe('sources');
    },
  );

  test('runs the sources if one of them is missing', async () => {
    await compiledAt(Date.now() + MINUTE_MS);
    await rm(place('package-lock.json'));
    expect((await started())[0]).toBe('sources');
  });
});

test('the sources run in a folder with quotes in its name', async () => {
  const root = resolve(import.meta.dir, '../..');
  const folder = place(`Анна's "$zastava"`);
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const version = await Bun.$`${process.execPath} ${join(folder, 'src/main.ts')} --version`.text();
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});
