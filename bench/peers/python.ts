import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../support/cache.ts';

const INSTALL_MS = 600_000;

/** Packages of PyPI with their exact versions, and the name of the folder that they are kept in. */
export interface PythonPackages {
  folder: string;
  packages: readonly string[];
}

/**
 * Installs packages into a virtual environment outside the checkout, once.
 * @returns its Python, or why there is none, without the sentence's end
 */
export async function pythonWith({
  folder,
  packages,
}: PythonPackages): Promise<{ python: string } | { problem: string }> {
  const python3 = Bun.which('python3');
  if (python3 === null) return { problem: 'there is no Python to run it on' };
  const directory = join(cacheDirectory(), folder);
  const python = join(directory, 'bin/python');
  const done = join(directory, 'installed');
  if (await Bun.file(done).exists()) return { python };
  await mkdir(cacheDirectory(), { recursive: true });
  await rm(directory, { recursive: true, force: true });
  const problem =
    (await run([python3, '-m', 'venv', directory])) ??
    (await run([python, '-m', 'pip', 'install', '--quiet', ...packages]));
  if (problem !== undefined) return { problem: `pip could not install it: ${problem}` };
  await Bun.write(`${done}.part`, packages.join('\n'));
  await rename(`${done}.part`, done);
  return { python };
}

/** @returns the last line of what it said, if it failed */
async function run(command: string[]): Promise<string | undefined> {
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_MS,
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return undefined;
  return errors.trim().split('\n').at(-1) ?? 'no reason given';
}
