/** The steps of the Dockerfile, and the contents of a production install. */
import { describe, expect, test } from 'bun:test';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '../..');
const textOf = (path: string) => Bun.file(join(root, path)).text();

/** The arguments of an instruction of the Dockerfile, for each occurrence. */
async function instructions(name: string): Promise<string[]> {
  const text = await textOf('deploy/Dockerfile');
  return [...text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, words = '']) => words);
}

describe('the image', () => {
  test('is built from what it copies, and from no other file of the checkout', async () => {
    const copied = (await instructions('COPY'))
      .filter((words) => !words.startsWith('--from='))
      .flatMap((words) => words.split(' ').slice(0, -1));
    const lines = (await textOf('.dockerignore')).split('\n');
    const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(patterns[0]).toBe('*');
    expect(patterns.slice(1).toSorted()).toEqual(copied.map((path) => `!${path}`).toSorted());
  });

  /**
   * Runs the step that installs, with an npm that leaves this executable.
   * @returns the exit code
   */
  async function install(executable: string | undefined): Promise<number> {
    const [step = ''] = (await instructions('RUN')).filter((words) => words.startsWith('npm '));
    const directory = await mkdtemp(join(tmpdir(), 'zastava-image-'));
    try {
      await mkdir(join(directory, 'dist'));
      // npm succeeds even if the sources can't be compiled.
      await Bun.write(join(directory, 'npm'), '#!/bin/sh\n');
      const file = join(directory, 'dist/zastava');
      if (executable !== undefined) await Bun.write(file, executable);
      for (const path of [join(directory, 'npm'), file]) await chmod(path, 0o755).catch(() => {});
      const env = { PATH: `${directory}:${process.env['PATH']}` };
      const child = Bun.spawn(['sh', '-c', step], { cwd: directory, env, stderr: 'ignore' });
      return await child.exited;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  test('is not built if the executable is missing or does not start', async () => {
    expect(await install('#!/bin/sh\n')).toBe(0);
    expect(await install(undefined)).not.toBe(0);
    expect(await install('#!/bin/sh\nexit 1\n')).not.toBe(0);
  });
});

test('a production install leaves out the PostgreSQL of the tests', async () => {
  const lock = JSON.parse(await textOf('package-lock.json')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const binaries = Object.entries(lock.packages).filter(([path]) => path.includes('postgres'));
  expect(binaries.length).toBeGreaterThan(0);
  expect(binaries.filter(([, { dev }]) => dev !== true)).toEqual([]);
});
