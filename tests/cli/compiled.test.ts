/** The one file of `npm run build`: it serves, its threads start, and what it is made of stands beside it. */
import { expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { donorsOf, writeGraph } from '../trust/check/links.ts';
import { openInstallation } from './installation.ts';

/** Name and version of each part in a bill of materials. */
async function componentsOf(file: string): Promise<[string, string][]> {
  const { bomFormat, metadata, components } = await Bun.file(file).json();
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', packageFile.name]);
  return components.map(({ name, version }: { name: string; version: string }) => [name, version]);
}

const root = resolve(import.meta.dir, '../..');

test('the compiled executable serves, imports and ranks, with its bill of materials', async () => {
  await using installation = await openInstallation();
  const { dir, env } = installation;
  const executable = join(dir, 'zastava');
  const run = async (...command: string[]): Promise<string> => {
    const child = Bun.spawn(command, { cwd: dir, env, stdout: 'pipe', stderr: 'pipe' });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ command, code: await child.exited, err }).toMatchObject({ code: 0 });
    return out;
  };
  await run(process.execPath, join(root, 'scripts/build.ts'), executable);
  expect(await componentsOf(`${executable}.cdx.json`)).toEqual(
    expect.arrayContaining(Object.entries(packageFile.dependencies)),
  );
  await mkdir(join(dir, 'graph'));
  const files = await writeGraph(join(dir, 'graph'), donorsOf('alpha.ru', 50));
  const graph = ['--vertices', files.vertices, '--edges', files.edges];
  await run(executable, 'trust', 'import', ...graph, '--release', 'first');
  await run(executable, 'trust', 'rank', '--release', 'first');
  const checked = await run(executable, 'trust', 'check', 'alpha.ru', '--offline', '--json');
  expect(JSON.parse(checked)).toMatchObject({ domain: 'alpha.ru', donors: 50 });

  const server = Bun.spawn([executable, 'serve'], {
    cwd: dir,
    env,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const decoder = new TextDecoder();
  let told = '';
  for await (const chunk of server.stdout) {
    told += decoder.decode(chunk, { stream: true });
    if (told.includes('listening on ')) break;
  }
  const url = /listening on (\S+)/.exec(told)?.[1] ?? '';
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${url}/docs`)).text()).toContain('<html');
  server.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});
