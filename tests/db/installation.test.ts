import { expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationName } from '../../src/db/index.ts';

async function emptyDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'zastava-installation-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('a data directory gets one name, and keeps it', async () => {
  await using dir = await emptyDirectory();
  const names = await Promise.all(Array.from({ length: 8 }, () => installationName(dir.path)));
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(await installationName(dir.path)).toBe(names[0] ?? '');
  expect(await readdir(dir.path)).toEqual(['installation']);
});

test('a name that a full disk left empty is generated again: two directories never share a name', async () => {
  await using one = await emptyDirectory();
  await using other = await emptyDirectory();
  const names: string[] = [];
  for (const { path } of [one, other]) {
    await writeFile(join(path, 'installation'), '');
    names.push(await installationName(path));
    expect(await readFile(join(path, 'installation'), 'utf8')).toBe(names.at(-1) ?? '');
  }
  expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(names[1]).not.toBe(names[0]);
});
