import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../support/cache.ts';

const INSTALL_MS = 1_800_000;

/** Packages from PyPI with exact versions, and the name of the folder in which they are kept. */
export interface PythonPackages {
  folder: string;
  packages: readonly string[];
  /** Dependencies that are left out, together with everything that only they would bring. */
  leftOut?: readonly string[];
}

/** Prints the packages that a package needs on this machine, one on each line, without those named after it. */
const NEEDS = `
import sys
from importlib.metadata import requires
from packaging.requirements import Requirement
for text in requires(sys.argv[1]) or []:
    need = Requirement(text)
    if need.name not in sys.argv[2:] and (not need.marker or need.marker.evaluate({"extra": ""})):
        print(text.split(";")[0].strip())
`;

/**
 * Installs packages into a virtual environment outside the checkout, once.
 * @returns its Python, or the reason why it could not be installed, as the beginning of a sentence
 */
export async function pythonWith({
  folder,
  packages,
  leftOut = [],
}: PythonPackages): Promise<{ python: string } | { problem: string }> {
  const python3 = Bun.which('python3');
  if (python3 === null) return { problem: 'there is no Python to run it on' };
  const directory = join(cacheDirectory(), folder);
  const python = join(directory, 'bin/python');
  const done = join(directory, 'installed');
  if (await Bun.file(done).exists()) return { python };
  await mkdir(cacheDirectory(), { recursive: true });
  await rm(directory, { recursive: true, force: true });
  const pip = [python, '-m', 'pip', 'install', '--quiet'];
  const problem =
    (await run([python3, '-m', 'venv', directory])) ??
    (leftOut.length === 0
      ? await run([...pip, ...packages])
      : await installWithout(python, pip, packages, leftOut));
  if (problem !== undefined) return { problem: `pip could not install it: ${problem}` };
  await Bun.write(`${done}.part`, packages.join('\n'));
  await rename(`${done}.part`, done);
  return { python };
}

async function installWithout(
  python: string,
  pip: string[],
  packages: readonly string[],
  leftOut: readonly string[],
): Promise<string | undefined> {
  const problem =
    (await run([...pip, '--no-deps', ...packages])) ?? (await run([...pip, 'packaging']));
  if (problem !== undefined) return problem;
  const needs = packages.flatMap((name) => {
    const asked = [python, '-c', NEEDS, name.replace(/==.*/, ''), ...leftOut];
    return Bun.spawnSync(asked).stdout.toString().trim().split('\n');
  });
  return run([...pip, ...needs]);
}

/** @returns the last line of its output, if it failed */
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
