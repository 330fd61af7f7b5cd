/** The checker finds nothing in the product, and finds the faults of deliberately broken builds. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { quietLoad } from './quiet-load.ts';
import { runCrash } from './r01-crash/crash.ts';
import { runBelowCost } from './r22-below-cost/below-cost.ts';
import { traceOneSend } from './r09-disk/fsync-order.ts';
import { runFuzz } from './r14-fuzz/fuzz.ts';
import { runBystander } from './r21-bystander/bystander.ts';

const SEED = 11;
const broken = (name: string) => join(import.meta.dir, 'broken-builds', `${name}.ts`);
const kindsIn = (lines: readonly string[]) => new Set(lines.map((line) => line.split(':', 1)[0]));

for (const dialect of dialects) {
  describe(`${dialect}: the checker`, () => {
    test('finds nothing in the product', async () => {
      expect((await quietLoad(dialect, SEED)).broken).toEqual([]);
    });

    test('finds an answer that is sent before the commit, when the process dies', async () => {
      const sizes = { kills: 1, inFlight: 20 };
      const run = { dialect, seed: SEED, sizes, judgeTime: false };
      const report = await runCrash(run, broken('early-answer'));
      expect(kindsIn(report.broken)).toContain('lost');
    });
  });
}

// The comparison is the same on every database.
describe.each(dialects.slice(0, 1))('%s: the checker', (dialect) => {
  test('finds a charge that is dropped', async () => {
    const report = await quietLoad(dialect, SEED, broken('dropped-charge'));
    expect(kindsIn(report.broken)).toEqual(new Set(['lost', 'mischarged', 'uncharged']));
  });

  test('finds a hold that is leaked', async () => {
    const report = await quietLoad(dialect, SEED, broken('leaked-hold'));
    expect(kindsIn(report.broken)).toEqual(new Set(['openHolds']));
  });

  test('finds a charge that is a micro-ruble too high', async () => {
    const report = await quietLoad(dialect, SEED, broken('one-too-many'));
    expect(kindsIn(report.broken)).toEqual(new Set(['mischarged']));
  });

  test('finds a send that was made twice', async () => {
    const report = await quietLoad(dialect, SEED, broken('double-send'));
    expect(kindsIn(report.broken)).toContain('doubled');
  });
});

test('a build without limits of bodies delays others, which the campaign finds', async () => {
  const sizes = {
    percent: 0,
    bounded: 1,
    atOnce: 1,
    random: 0,
    uploads: 0,
    streams: 0,
    sockets: 0,
    measureMs: 100,
  };
  const run = { dialect: 'sqlite' as const, seed: SEED, sizes, judgeTime: false };
  const report = await runBystander(run, broken('unbounded-bodies'));
  expect(report.broken.join()).toContain('not 413');
});

test('a build that never answers a wrong body is found by the campaign of bad input', async () => {
  const sizes = { requests: 60, from: 0, patienceMs: 2_000 };
  const run = { dialect: 'sqlite' as const, seed: SEED, sizes, judgeTime: false };
  const report = await runFuzz(run, broken('hanging-bodies'));
  expect(report.broken.join()).toContain('sent again: no answer either');
});

describe('the campaign of charges below cost', () => {
  test.each([
    // When a client leaves is random, in a quarter of the sends.
    ['free-reasoning', 160, /the reasoning was not read on/],
    ['ignored-cap', 18, /kept \d+ characters/],
    ['silent-loss', 72, /undercharged, and 0 in the metrics/],
    ['small-hold', 72, /beside \d+ .*the hold of \d+ is too small/],
  ])('finds the build %s', async (name, sends, finding) => {
    const run = { dialect: 'sqlite', seed: SEED, sizes: { sends }, judgeTime: false } as const;
    const { broken: lines } = await runBelowCost(run, broken(name));
    expect(lines.join('\n')).toMatch(finding);
  });
});

test('a trace of system calls shows an answer that is sent before the commit', async () => {
  const report = await traceOneSend(broken('early-answer'));
  if (report.notPossible === undefined) expect(report.broken).not.toEqual([]);
});
