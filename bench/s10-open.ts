import { join } from 'node:path';
import { withGateways } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import { percentiles } from './support/load-client.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf } from './support/numbers.ts';
import { percentilePlot } from './support/percentile-plot.ts';
import { canPin } from './support/processes.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 2_000;
/** Before the first measurement, at full load: a process that is not yet compiled takes two to three times as long. */
const FIRST_WARM_UP_MS = 10_000;
const FULL_MS = 4_000;
const MEASURE_MS = 10_000;
/** The rounds of each load, in turn; the plot shows the round with the median p99. */
const ROUNDS = 3;
const SHARES = [0.1, 0.5, 0.8];
const PLOT = join(import.meta.dir, '..', 'docs/latency.svg');

/** How long sends take at a fixed rate, so that no wait is hidden by a generator that also waits. */
export const openLoad: Measure = {
  name: 's10',
  run: ({ progress }) =>
    withGateways({ rooms: CONNECTIONS, compared: false }, async ({ zastava }) => {
      const { manyUsers: target } = zastava;
      const base = { connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
      const first = { connections: CONNECTIONS, warmUpMs: FIRST_WARM_UP_MS, measureMs: FULL_MS };
      const most = (await load(target, first)).perSecond;
      const runs = SHARES.map((share) => ({ share, rounds: [] as Measured[] }));
      for (let round = 1; round <= ROUNDS; round++) {
        for (const { share, rounds } of runs) {
          const perSecond = most * share;
          rounds.push(
            await load(target, { ...base, measureMs: MEASURE_MS, perSecond, isOpen: true }),
          );
          progress(
            `round ${round}/${ROUNDS}: ${share * 100} %: p99 ${rounds.at(-1)?.p99Ms.toFixed(2)} ms`,
          );
        }
      }
      const middle = runs.map(({ share, rounds }) => ({
        share,
        run: rounds.toSorted((a, b) => a.p99Ms - b.p99Ms)[Math.floor(ROUNDS / 2)],
        rounds,
      }));
      const curves = middle.map(({ share, run }) => ({
        name: `${share * 100} % of ${grouped(most)} a second`,
        values: run?.atPercentiles ?? [],
      }));
      await Bun.write(
        PLOT,
        percentilePlot('Sends at a fixed rate, one core, SQLite: ms', percentiles, curves),
      );
      return {
        name: 'S10',
        title: `sends at a fixed rate, ${CONNECTIONS} users, one core`,
        columns: [
          'load',
          'sends/s',
          'p50 ms',
          'p90 ms',
          'p99 ms',
          'of all rounds',
          'p99.9 ms',
          'most ms',
          'CPU µs',
        ],
        rows: middle.map(({ share, run, rounds }) => [
          `${share * 100} % of the most`,
          grouped(run?.perSecond ?? 0),
          at(run, 50),
          at(run, 90),
          at(run, 99),
          rounds.map((each) => each.p99Ms.toFixed(2)).join(', '),
          at(run, 99.9),
          at(run, 100),
          medianOf(rounds.map((each) => each.cpuMicros ?? Number.NaN)).toFixed(0),
        ]),
        notes: [
          `The most is ${grouped(most)} sends a second, as fast as they are answered over ${CONNECTIONS} connections, a user each. Then ${ROUNDS} rounds of ${MEASURE_MS / 1000} s at each rate, in turn; the row is the round with the middle p99. Drawn: docs/latency.svg.`,
          'Each connection has a plan of its sends. A send whose connection still waits for an answer counts from the moment at which it was due (open loop).',
          canPin
            ? 'The gateway has core 0, mock provider and load generator core 1. SQLite, synchronous=FULL.'
            : 'Nothing is pinned. SQLite, synchronous=FULL.',
        ],
      };
    }),
};

function at(measured: Measured | undefined, percent: number): string {
  return (measured?.atPercentiles[percentiles.indexOf(percent)] ?? Number.NaN).toFixed(2);
}
