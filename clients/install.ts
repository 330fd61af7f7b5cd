import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Driver, DRIVERS, RECIPE_ADDRESS } from './drivers.ts';
import { stopping } from './stopping.ts';

export interface Installed {
  folder: string;
  version: string;
  /** The command that runs the driver. */
  command: string[];
}

const LIB = join(import.meta.dir, 'lib');
/** Some applications bring hundreds of packages. */
const INSTALL_MINUTES = 20;

/** Installs a client and its driver into a folder under `place`. @throws what the installer said */
export async function install(driver: Driver, place: string, address: string): Promise<Installed> {
  const { registry, packages, file } = driver;
  // Agents read an @ in a path as the mention of a file.
  const name = packages.join('-').replaceAll(/[^\w.-]/g, '-');
  const folder = join(place, `${registry}-${name}`);
  if (!(await Bun.file(join(folder, 'installed')).exists())) {
    await mkdir(folder, { recursive: true });
    await (registry === 'npm'
      ? installFromNpm(folder, packages)
      : installFromPyPi(folder, packages));
    await Bun.write(join(folder, 'installed'), '');
  }
  const text = await Bun.file(join(DRIVERS, file)).text();
  const isPython = file.endsWith('.py');
  // Not by its own name, which may be that of the package.
  const script = isPython ? 'campaign.py' : 'campaign.mjs';
  await Bun.write(join(folder, script), text.replaceAll(RECIPE_ADDRESS, address));
  for await (const helper of new Bun.Glob('*').scan(LIB)) {
    await Bun.write(join(folder, helper), Bun.file(join(LIB, helper)));
  }
  return {
    folder,
    version: await versionIn(folder, driver),
    command: isPython ? [join(folder, 'bin/python'), script] : ['node', script],
  };
}

async function installFromNpm(folder: string, packages: string[]): Promise<void> {
  await Bun.write(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await command(folder, ['npm', 'install', ...quiet, ...packages]);
}

async function installFromPyPi(folder: string, packages: string[]): Promise<void> {
  await command(folder, ['python3', '-m', 'venv', '.']);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  await command(folder, ['bin/pip', 'install', ...quiet, ...packages]);
}

async function command(cwd: string, words: string[]): Promise<string> {
  const run = Bun.spawn(words, {
    cwd,
    stdin: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_MINUTES * 60_000,
    signal: stopping,
  });
  const [out, problem, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  if (code !== 0) throw new Error(reasonIn(problem) ?? `exit code ${code}`);
  return out;
}

/** The first error that is a sentence: npm begins with a code, and ends with the place of its log. */
function reasonIn(problem: string): string | undefined {
  return problem.split('\n').find((line) => /error/i.test(line) && !/ error code /.test(line));
}

/** The version of the first package. */
async function versionIn(folder: string, { registry, packages }: Driver): Promise<string> {
  const [first = ''] = packages;
  const name = first.replace(/(?<=.)[@=<>].*$/, '').replace(/\[.*$/, '');
  if (registry === 'npm') {
    const about: unknown = await Bun.file(
      join(folder, 'node_modules', name, 'package.json'),
    ).json();
    return (about as { version: string }).version;
  }
  const code = `import importlib.metadata as m; print(m.version("${name}"))`;
  return (await command(folder, ['bin/python', '-c', code])).trim();
}
