/** An import that ends half-way is resumed, or starts anew. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  importPhases,
  type ImportPhase,
  type ImportProgress,
} from '../../../src/trust/graph/import/progress.ts';
import { failure } from '../../support/failure.ts';
import { contents, openWorld, ring, tinyLimits, written, type World } from './world.ts';

// Starting threads and syncing files to the disk takes long on a busy machine.
setDefaultTimeout(300_000);

const graph = ring(500);
const limits = { ...tinyLimits, pieceEdges: 200, bucketShift: 6 };

/** The result of an undisturbed import. */
async function undisturbed() {
  await using world = await openWorld();
  await world.store.importGraph({ name: 'a', ...(await written(world, graph)), limits });
  return contents(world.store.open('a'));
}
const wanted = await undisturbed();

/** Imports, and notes the phases in which work was done. */
async function finish(world: World, files: { vertices: string; edges: string }) {
  const phases = new Set<ImportPhase>();
  const onProgress = ({ phase }: ImportProgress) => phases.add(phase);
  await world.store.importGraph({ name: 'a', ...files, limits, onProgress });
  expect(contents(world.store.open('a'))).toEqual(wanted);
  expect(await world.store.findDamage('a')).toEqual([]);
  expect(readdirSync(join(world.directory, 'trust/imports'))).toEqual(['a.lock']);
  return [...phases];
}

describe.each(importPhases)('interrupted', (phase) => {
  const done = importPhases.indexOf(phase) + 1;

  test(`an import killed after ${phase} resumes with the next phase`, async () => {
    await using world = await openWorld();
    const files = await written(world, graph);
    const onPhaseDone = (ended: ImportPhase) => {
      if (ended === phase) throw new Error('broken off');
    };
    const broken = world.store.importGraph({ name: 'a', ...files, limits, onPhaseDone });
    expect(await failure(broken)).toMatchObject({ message: 'broken off' });
    expect(await world.store.list()).toEqual([]);
    expect(await finish(world, files)).toEqual(importPhases.slice(done));
  });

  test(`an import killed at the end of ${phase}, before its checkpoint, repeats the phase`, async () => {
    await using world = await openWorld();
    const files = await written(world, graph);
    const onProgress = (progress: ImportProgress) => {
      if (progress.phase === phase) throw new Error('broken off');
    };
    const broken = world.store.importGraph({ name: 'a', ...files, limits, onProgress });
    expect(await failure(broken)).toMatchObject({ message: 'broken off' });
    expect(await finish(world, files)).toEqual(importPhases.slice(done - 1));
  });

  test(`an import stopped by a signal after ${phase} resumes`, async () => {
    await using world = await openWorld();
    const files = await written(world, graph);
    const abort = new AbortController();
    const onPhaseDone = (ended: ImportPhase) => {
      if (ended === phase) abort.abort(new Error('enough'));
    };
    const { signal } = abort;
    const broken = world.store.importGraph({ name: 'a', ...files, limits, onPhaseDone, signal });
    await broken.catch(() => undefined);
    // After the last phase nothing is left to interrupt.
    if (phase === 'checksums') expect(contents(world.store.open('a'))).toEqual(wanted);
    else expect(await finish(world, files)).toEqual(importPhases.slice(done));
  });
});

test('an import with other inputs starts anew', async () => {
  await using world = await openWorld();
  const first = await written(world, ring(100));
  const onPhaseDone = (): void => {
    throw new Error('broken off');
  };
  const broken = world.store.importGraph({ name: 'a', ...first, limits, onPhaseDone });
  await broken.catch(() => undefined);
  expect(await finish(world, await written(world, graph))).toEqual([...importPhases]);
});

test('an import killed between its last two steps only cleans up', async () => {
  await using world = await openWorld();
  const files = await written(world, graph);
  let checkpoint = '';
  const path = join(world.directory, 'trust/imports/a/checkpoint.json');
  const onPhaseDone = (): void => {
    checkpoint = readFileSync(path, 'utf8');
  };
  await world.store.importGraph({ name: 'a', ...files, limits, onPhaseDone });
  await Bun.write(path, checkpoint);
  expect(await finish(world, files)).toEqual([]);
});
