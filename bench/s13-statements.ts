import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from './support/gateways.ts';
import { load } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { startMock } from './support/mock.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { GATEWAY_CORE, runJson } from './support/processes.ts';
import type { Repeated } from './support/repeat-statements.ts';
import { startZastava } from './support/zastava.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
/** Before the first round, and before recording: the compiler's threads take their share for this long. */
const FIRST_WARM_UP_MS = 9_000;
const MEASURE_MS = 3_000;

const ROOT = join(import.meta.dir, '..');
const REPEAT = join(import.meta.dir, 'support/repeat-statements.ts');

/** The cost of a send, compared with that of its statements and commits without a gateway around them. */
export const statementsAlone: Measure = {
  name: 's13',
  async run({ progress }) {
    await using place = await temporaryDirectory();
    const mock = await startMock();
    const recorded = await record(mock.url, place.path);
    progress(`${grouped(recorded.sends)} sends recorded`);
    const directory = join(place.path, 'whole');
    await mkdir(directory);
    const zastava = await startZastava({ mockUrl: mock.url, directory }, CONNECTIONS);
    const whole: number[] = [];
    const alone: number[] = [];
    const perTransaction: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const warmUpMs = round === 1 ? FIRST_WARM_UP_MS : WARM_UP_MS;
      const at = { connections: CONNECTIONS, warmUpMs, measureMs: MEASURE_MS };
      whole.push((await load(zastava.target, at)).cpuMicros ?? Number.NaN);
      const plan = { statements: recorded.file, copy: join(place.path, `again-${round}.sqlite`) };
      const command = [process.execPath, REPEAT];
      const { micros, transactions } = (await runJson(GATEWAY_CORE, command, plan)) as Repeated;
      alone.push(micros / recorded.sends);
      perTransaction.push((2 * recorded.sends) / transactions);
      progress(
        `round ${round}/${ROUNDS}: ${whole.at(-1)?.toFixed(0)}, ${alone.at(-1)?.toFixed(0)} µs`,
      );
    }
    await zastava.stop();
    await mock.stop();
    return reportOf(whole, alone, medianOf(perTransaction), recorded.sends);
  },
};

/**
 * Lets a server record its statements under the load of S1. @returns their file, and the number of sends that ran them
 */
async function record(mockUrl: string, root: string): Promise<{ file: string; sends: number }> {
  const directory = join(root, 'recorded');
  await mkdir(directory);
  const file = join(root, 'statements');
  const script = join(import.meta.dir, 'support/record-statements.ts');
  const launcher = ['sh', join(ROOT, 'bin/bun'), '--preload', script, join(ROOT, 'src/main.ts')];
  const env = { BENCH_STATEMENTS: file, BUN_JSC_forceRAMSize: String(2 ** 30) };
  const server = await startZastava({ mockUrl, directory, env, launcher }, CONNECTIONS);
  const at = { connections: CONNECTIONS, warmUpMs: 0 };
  await load(server.target, { ...at, measureMs: FIRST_WARM_UP_MS });
  process.kill(server.pid, 'SIGUSR2');
  const { answersInAll } = await load(server.target, { ...at, measureMs: MEASURE_MS });
  await server.stop();
  return { file, sends: answersInAll };
}

function reportOf(whole: number[], alone: number[], perTransaction: number, sends: number) {
  const base = medianOf(alone);
  const row = (name: string, rounds: number[]): string[] => [
    name,
    medianOf(rounds).toFixed(0),
    spreadOf(rounds),
    (medianOf(rounds) / base).toFixed(2),
  ];
  return {
    name: 'S13',
    title: 'a send, and its statements and commits alone',
    columns: ['what', 'CPU µs a send', 'of all rounds', 'times'],
    rows: [row('Zastava, one user', whole), row('its statements and commits, in a script', alone)],
    notes: [
      `${ROUNDS} interleaved rounds; medians. The first row is that of S1: ${CONNECTIONS} connections, SQLite with synchronous=FULL, ${MEASURE_MS / 1000} s after ${WARM_UP_MS / 1000} s of warm-up, ${FIRST_WARM_UP_MS / 1000} s before the first round.`,
      `The script has what a server ran on its database for ${grouped(sends)} sends of that load, reads and commits included, and runs it again on a copy of the database as it was, on the same core. A transaction has the holds, or the ends, of ${perTransaction.toFixed(1)} sends.`,
    ],
  };
}
