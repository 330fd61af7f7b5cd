/** kill -9 during an import, in each phase, while a release is in use. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { importPhases } from '../../../src/trust/graph/import/progress.ts';
import { KILLED_RELEASE } from './import-process.ts';
import { contents, openWorld, ring, written } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

test('a killed import is resumed, while the old release keeps serving', async () => {
  await using world = await openWorld();
  const { store } = world;
  const old = await written(world, ring(10));
  await store.importGraph({ name: 'old', ...old });
  store.use('old');
  const before = contents(store.current() ?? store.open('old'));

  const files = await written(world, ring(20_000), '.txt.gz');
  const directory = join(world.directory, 'trust');
  const command = [
    process.execPath,
    join(import.meta.dir, 'import-process.ts'),
    directory,
    files.vertices,
    files.edges,
  ];
  const done: string[] = [];
  // The last one is killed at its last phase, or a moment after its end.
  for (let kills = 0; kills < importPhases.length; kills++) {
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      done.push(...decoder.decode(chunk).trim().split('\n'));
      child.kill('SIGKILL');
    }
    await child.exited;
    expect(contents(store.current() ?? store.open('old'))).toEqual(before);
  }
  // Each phase was done once: none again after the kill that followed it.
  expect(new Set(done).size).toBe(done.length);
  if (!(await store.list()).some(({ name }) => name === KILLED_RELEASE)) {
    await store.importGraph({ name: KILLED_RELEASE, ...files });
  }
  expect(await store.findDamage(KILLED_RELEASE)).toEqual([]);
  expect(store.open(KILLED_RELEASE)).toMatchObject({ nodes: 20_000, edges: 39_998 });
  expect(store.currentName()).toBe('old');
});
