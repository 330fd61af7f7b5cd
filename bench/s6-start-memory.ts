import { join } from 'node:path';
import { withGateways, type Gateways } from './support/gateways.ts';
import { load } from './support/load.ts';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { residentBytes } from './support/processes.ts';
import { restartZastava } from './support/zastava.ts';

const ROOT = join(import.meta.dir, '..');
const uncompiled = ['sh', join(ROOT, 'bin/bun'), join(ROOT, 'src/main.ts')];

const STARTS = 9;
const CONNECTIONS = 32;
const STEPS = 10;
const SENDS = 100_000;
const SENDS_FULL = 1_000_000;
const STEP_MAX_MS = 300_000;
/** After the start, until the runtime has returned the memory that starting took. */
const IDLE_MS = 3_000;
const MIB = 2 ** 20;

/** How long a start takes, and how much memory the process needs: idle, and during long work. */
export const startAndMemory: Measure = {
  name: 's6',
  run: (options) =>
    withGateways({ rooms: CONNECTIONS, compared: false }, async (gateways) => {
      const sends = options.full ? SENDS_FULL : SENDS;
      const idle = await idleBytes(gateways.zastava.pid);
      const steps = await memoryWhileSending(gateways, sends, options);
      await gateways.stopZastava();
      const starts = await timesOfStart(gateways.directory);
      const fromSources = await timesOfStart(gateways.directory, uncompiled);
      const after = steps.at(-1) ?? Number.NaN;
      // The first steps fill caches and let the heap find its size; growth after that would continue.
      const half = steps[STEPS / 2 - 1] ?? Number.NaN;
      return {
        name: 'S6',
        title: 'start and memory',
        columns: ['what', 'median', 'range'],
        rows: [
          ['start to ready, ms', medianOf(starts).toFixed(0), spreadOf(starts)],
          ['the same, from the sources', medianOf(fromSources).toFixed(0), spreadOf(fromSources)],
          ['memory idle, MiB', inMib(idle), ''],
          [`memory after ${grouped(sends)} sends, MiB`, inMib(after), rangeOf(steps)],
          ['growth over the second half, MiB', inMib(after - half), ''],
        ],
        notes: [
          `${STARTS} starts on a database with ${grouped(sends)} messages, from the command to the line that says it listens.`,
          `Memory is the process's resident set; ${CONNECTIONS} connections, seen after each of ${STEPS} equal parts: ${steps.map(inMib).join(', ')} MiB.`,
        ],
      };
    }),
};

async function idleBytes(pid: number): Promise<number> {
  await Bun.sleep(IDLE_MS);
  return residentBytes(pid) ?? Number.NaN;
}

async function memoryWhileSending(
  { zastava }: Gateways,
  sends: number,
  { progress }: MeasureOptions,
): Promise<number[]> {
  const steps: number[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const result = await load(zastava.target, {
      connections: CONNECTIONS,
      warmUpMs: 0,
      measureMs: STEP_MAX_MS,
      count: sends / STEPS,
    });
    steps.push(residentBytes(zastava.pid) ?? Number.NaN);
    const memory = inMib(steps.at(-1) ?? Number.NaN);
    progress(`part ${step}/${STEPS}: ${memory} MiB, ${grouped(result.perSecond)}/s`);
  }
  return steps;
}

async function timesOfStart(directory: string, command?: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const running = await restartZastava(directory, {}, command);
    times.push(running.readyMs);
    await running.stop();
  }
  return times;
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

function rangeOf(steps: number[]): string {
  return spreadOf(steps.map((bytes) => bytes / MIB));
}
