/** The generated secret is written whole or not at all. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findSecret, makeSecret, readConfig } from '../../src/config/index.ts';
import { failure } from '../support/failure.ts';

let dataDir: string;
const config = () => readConfig({ ZASTAVA_DATA_DIR: dataDir });
const path = () => join(dataDir, 'secret');

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zastava-secret-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('the generated secret', () => {
  test('is the same for all processes that generate it at once, and leaves no other file', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => makeSecret(config())));
    const first = await readFile(path(), 'utf8');
    for (const { bytes } of made) expect(Buffer.from(bytes).toString()).toBe(first.trim());
    expect(await readdir(dataDir)).toEqual(['secret']);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  test('is not left half written by a start on a full disk', async () => {
    const module = resolve(import.meta.dir, '../../src/config/index.ts');
    const script = `
      const { makeSecret, readConfig } = await import(${JSON.stringify(module)});
      await makeSecret(readConfig(process.env)).catch((error) => console.log(error.name + ' ' + error.message));`;
    // No file may grow by a byte, which is reported like a full disk.
    const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1"`;
    const child = Bun.spawn(['sh', '-c', limited, process.execPath, script], {
      env: { ZASTAVA_DATA_DIR: dataDir },
      stdout: 'pipe',
    });
    const said = await new Response(child.stdout).text();
    expect(said).toStartWith(`ConfigError ${path()}: can't be written: `);
    expect(said).toContain('ZASTAVA_SECRET');
    expect(await readdir(dataDir)).toEqual([]);
    expect((await makeSecret(config())).bytes.length).toBe(64);
  });

  test('gets another error when it is empty than when it is too short', async () => {
    await writeFile(path(), '');
    expect(await failure(findSecret(config()))).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^\S+secret: is empty, .*remove it/),
    });
  });

  test('blank in the environment is not reported as a file to remove', async () => {
    const blank = readConfig({ ZASTAVA_DATA_DIR: dataDir, ZASTAVA_SECRET: '  \n' });
    expect(String(await failure(findSecret(blank)))).toMatch(
      /ZASTAVA_SECRET: must have at least 32 bytes; make one with/,
    );
  });

  test('is refused by its path if it is not a file', async () => {
    await mkdir(path());
    expect(String(await failure(findSecret(config())))).toContain(`${path()}: can't be read: `);
    await rm(path(), { recursive: true });
    await symlink('nowhere', path());
    expect(String(await failure(makeSecret(config())))).toContain(path());
  });
});
