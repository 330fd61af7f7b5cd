import { temporaryDirectory } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { startMock } from './support/mock.ts';
import { grouped } from './support/numbers.ts';
import { residentBytes } from './support/processes.ts';
import { smallMachine } from './support/small-machine.ts';
import { readBooks, startZastava } from './support/zastava.ts';

const MEMORY_MIB = 256;
const CORES = 0.5;
const ROOMS = 32;
const WARM_UP_MS = 2_000;
const MEASURE_MS = 10_000;
const MIB = 2 ** 20;

/** The load that a machine with little memory and half a core can handle. */
export const small: Measure = {
  name: 's11',
  async run({ progress }) {
    await using place = await temporaryDirectory();
    const mock = await startMock();
    using machine = smallMachine(MEMORY_MIB * MIB, CORES);
    if (!machine) throw new Error('control groups of version 1 can not be made here');
    const { under } = machine;
    const zastava = await startZastava({ mockUrl: mock.url, directory: place.path, under }, ROOMS);
    const { target, manyUsers } = zastava;
    const at = { warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS };
    const loads = [
      ['plain sends, 32 connections', manyUsers, 32],
      ['streams, 32 connections', { ...target, requests: target.streams ?? [] }, 32],
    ] as const;
    const rows: string[][] = [];
    for (const [name, on, connections] of loads) {
      const measured: Measured = await load(on, { ...at, connections });
      rows.push([
        name,
        grouped(measured.perSecond),
        measured.p50Ms.toFixed(1),
        measured.p99Ms.toFixed(1),
        ((residentBytes(zastava.pid) ?? Number.NaN) / MIB).toFixed(0),
      ]);
      progress(`${name}: ${grouped(measured.perSecond)}/s`);
    }
    const peak = machine.peakBytes() / MIB;
    await zastava.stop();
    await mock.stop();
    const books = await readBooks(place.path);
    return {
      name: 'S11',
      title: `a machine of ${MEMORY_MIB} MiB and half a core`,
      columns: ['load', 'answers/s', 'p50 ms', 'p99 ms', 'resident MiB after it'],
      rows,
      notes: [
        `A control group limits the gateway, SQLite and its pages in the system’s cache to ${MEMORY_MIB} MiB and ${CORES} cores; at most ${peak.toFixed(0)} MiB were used, with that cache. Mock and load generator are outside.`,
        'Every answer was a 200. With more than it carries, sends are refused with 503 and nothing is charged.',
        books.broken.length === 0 ? '`ledger verify` holds.' : '`ledger verify` FAILS.',
      ],
    };
  },
};
