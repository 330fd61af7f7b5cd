/** Which runtime `bin/bun` runs if npm ran no scripts. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A checkout as npm leaves it in that case: a stub, and the binary in the package of the system. */
let checkout: string;
const place = (path: string): string => join(checkout, path);

async function script(path: string, text: string): Promise<void> {
  await mkdir(dirname(place(path)), { recursive: true });
  await Bun.write(place(path), `#!/bin/sh\n${text}\n`);
  await chmod(place(path), 0o755);
}

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'zastava runtime-'));
  await mkdir(place('bin'));
  await copyFile(resolve(import.meta.dir, '../../bin/bun'), place('bin/bun'));
  await script('node_modules/bun/bin/bun.exe', 'echo a stub; exit 1');
  // Replaces the installer with one that fails, as if this user might not write there.
  await Bun.write(
    place('node_modules/bun/install.js'),
    `console.error('use curl'); process.exit(1)`,
  );
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

async function run(...words: string[]) {
  const child = Bun.spawn(['sh', place('bin/bun'), ...words], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

describe('bin/bun', () => {
  test('runs the binary from its package if it cannot be copied into place', async () => {
    await script('node_modules/@oven/bun-a-modern/bin/bun', 'exit 132');
    await script('node_modules/@oven/bun-b-usual/bin/bun', 'echo "usual $*"');
    expect(await run('x.ts', 'two words')).toEqual({
      code: 0,
      out: 'usual x.ts two words\n',
      err: '',
    });
  });

  test('says what to do if no package fits this system', async () => {
    const { code, out, err } = await run('x.ts');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^zastava: there is no runtime for this system in [^\n]+'npm ci'[^\n]+\n$/);
  });
});
