import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDatabaseServer } from './support/database-server.ts';
import { temporaryDirectory } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import { coreBusyMs } from './support/machine.ts';
import type { Measure } from './support/measure.ts';
import { startMock } from './support/mock.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { cpuOfAlone } from './support/processes.ts';
import { startZastava, type Zastava } from './support/zastava.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const WARM_UP_MS = 1_000;
/** Before the first round: each worker is compiled under its own share of the load. */
const FIRST_WARM_UP_MS = 10_000;
const MEASURE_MS = 4_000;
const SECRET = 'a secret of the benchmark, 32 bytes or more';

interface Seen extends Measured {
  /** Processor time of the parent process alone, microseconds an answer. */
  parentMicros: number;
  /** The share of all cores that is in use, by any process. */
  busy: number;
}

/** One process on PostgreSQL compared with one worker for each core; everything may use every core. */
export const workers: Measure = {
  name: 's12',
  async run({ progress }) {
    await using place = await temporaryDirectory();
    await using database = await startDatabaseServer(false);
    const mock = await startMock(null);
    const cores = navigator.hardwareConcurrency;
    const results = new Map<Zastava, { name: string; seen: Seen[] }>();
    for (const count of [1, cores]) {
      const directory = join(place.path, `workers-${count}`);
      await mkdir(directory);
      const env = {
        ZASTAVA_DATABASE_URL: await database.create(`workers_${count}`),
        ZASTAVA_SECRET: SECRET,
        ZASTAVA_WORKERS: String(count),
      };
      const gateway = await startZastava(
        { mockUrl: mock.url, directory, env, isFree: true },
        CONNECTIONS,
      );
      const name = count === 1 ? 'one process' : `${count} workers`;
      results.set(gateway, { name, seen: [] });
    }
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [gateway, { name, seen }] of results) {
        const target = { ...gateway.manyUsers, databasePid: database.pid };
        const before = {
          at: performance.now(),
          busy: sum(coreBusyMs()),
          parent: cpuOfAlone(gateway.pid),
        };
        const warmUpMs = round === 1 ? FIRST_WARM_UP_MS : WARM_UP_MS;
        const options = { connections: CONNECTIONS, warmUpMs, measureMs: MEASURE_MS };
        const measured = await load(target, { ...options, isFree: true });
        const elapsed = performance.now() - before.at;
        seen.push({
          ...measured,
          parentMicros: ((cpuOfAlone(gateway.pid) - before.parent) * 1000) / measured.answersInAll,
          busy: (sum(coreBusyMs()) - before.busy) / elapsed / cores,
        });
        progress(`round ${round}/${ROUNDS}: ${name}: ${grouped(measured.perSecond)}/s`);
      }
    }
    for (const gateway of results.keys()) await gateway.stop();
    await mock.stop();
    const all = [...results.values()];
    const rateOf = (seen: Seen[]): number => medianOf(seen.map((each) => each.perSecond));
    const base = rateOf(all[0]?.seen ?? []);
    return {
      name: 'S12',
      title: `workers on PostgreSQL, ${cores} cores, ${CONNECTIONS} connections`,
      columns: [
        '',
        'answers/s',
        'of all rounds',
        '× one',
        'CPU µs',
        'of its parent µs',
        'of PostgreSQL µs',
        'p50 ms',
        'p99 ms',
        'cores busy',
      ],
      rows: all.map(({ name, seen }, index) => {
        const median = (of: (each: Seen) => number | undefined): number =>
          medianOf(seen.map((each) => of(each) ?? Number.NaN));
        return [
          name,
          grouped(rateOf(seen)),
          spreadOf(seen.map((each) => each.perSecond)),
          (rateOf(seen) / base).toFixed(2),
          median((each) => each.cpuMicros).toFixed(0),
          index === 0 ? '' : median((each) => each.parentMicros).toFixed(1),
          median((each) => each.databaseMicros).toFixed(0),
          median((each) => each.p50Ms).toFixed(2),
          median((each) => each.p99Ms).toFixed(2),
          `${(median((each) => each.busy) * 100).toFixed(0)} %`,
        ];
      }),
      notes: [
        `${ROUNDS} interleaved rounds of ${MEASURE_MS / 1000} s; medians. A user a connection. Nothing is pinned: gateway, PostgreSQL, mock provider and load generator share ${cores} cores, whose use is “cores busy”.`,
        'CPU µs is processor time an answer, of all processes of the gateway.',
      ],
    };
  },
};

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
