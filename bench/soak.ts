/**
 * The soak: half of the load that the gateway can take, plain and streamed sends together, for a long time, and what
 * its process needs meanwhile. Writes bench/soak.csv, docs/soak.svg and a section of bench/results.md.
 */
import { join } from 'node:path';
import { readWords, refuse } from '../scripts/read-words.ts';
import { withGateways, type Gateways } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import { describeRun } from './support/machine.ts';
import { grouped, medianOf } from './support/numbers.ts';
import { plotOf } from './support/plot.ts';
import { canPin, stopAll } from './support/processes.ts';
import { render, writeResult, type Report } from './support/report.ts';
import { judge, slopeOf, type Verdict } from './support/soak-verdict.ts';
import { csvOf, sampleOf, type Sample } from './support/soak-sample.ts';
import { readBooks } from './support/zastava.ts';

const MINUTES = 30;
const PLAIN_CONNECTIONS = 24;
const STREAM_CONNECTIONS = 8;
const CONNECTIONS = PLAIN_CONNECTIONS + STREAM_CONNECTIONS;
/** The share of the full load. */
const SHARE = 0.5;
const FULL_LOAD_MS = 10_000;
const WARM_UP_MS = 3_000;
/** One sample a window. */
const WINDOW_MS = 5_000;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

const CSV = join(import.meta.dir, 'soak.csv');
const SVG = join(import.meta.dir, '..', 'docs', 'soak.svg');

interface Window {
  plain: Measured;
  streams: Measured;
}

const USAGE = `npm run soak -- [--minutes N]   ${MINUTES} by default`;
const given = readWords(USAGE, { minutes: { type: 'string' } }, false);
const minutes = Number(given.values.minutes ?? MINUTES);
if (!(minutes > 0)) refuse(USAGE, '--minutes must be a number above 0');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stopAll().finally(() => process.exit(130)));
}
const run = describeRun();
console.log(`${run}\n`);
const outcome = await withGateways({ rooms: CONNECTIONS, compared: false }, soak);
console.log(`\n${render(outcome.report)}\n`);
await writeResult(outcome.report, run);
process.exit(outcome.flat ? 0 : 1);

async function soak(gateways: Gateways): Promise<{ report: Report; flat: boolean }> {
  const full = await under(gateways, FULL_LOAD_MS, undefined);
  const [plain, streams] = [full.plain.perSecond, full.streams.perSecond];
  console.error(
    `full load: ${grouped(plain)} plain and ${grouped(streams)} streamed sends a second`,
  );
  const pace = { plain: plain * SHARE, streams: streams * SHARE };
  const samples: Sample[] = [];
  const failures: string[] = [];
  let answered = full.plain.answersInAll + full.streams.answersInAll;
  const start = performance.now();
  while (performance.now() - start < minutes * 60_000) {
    const window = under(gateways, WINDOW_MS, pace).catch((error: unknown) => {
      failures.push(String(error));
      return undefined;
    });
    await Bun.sleep(WINDOW_MS / 2);
    const seen = sampleOf(gateways.zastava.pid, gateways.directory);
    const measured = await window;
    answered += (measured?.plain.answersInAll ?? 0) + (measured?.streams.answersInAll ?? 0);
    samples.push({
      ...seen,
      seconds: (performance.now() - start) / 1000,
      plainPerSecond: measured?.plain.perSecond ?? Number.NaN,
      streamsPerSecond: measured?.streams.perSecond ?? Number.NaN,
      plainP99Ms: measured?.plain.p99Ms ?? Number.NaN,
      streamP99Ms: measured?.streams.p99Ms ?? Number.NaN,
    });
    await Bun.write(CSV, csvOf(samples));
    if (samples.length % 12 === 0) tell(samples);
  }
  await Bun.write(SVG, drawn(samples));
  await gateways.stopZastava();
  const books = await readBooks(gateways.directory);
  const verdict = judge(samples);
  const whole = failures.length === 0 && books.broken.length === 0 && books.answers >= answered;
  return {
    report: reportOf({ samples, full, failures, answered, books, verdict }),
    flat: verdict.flat && whole,
  };
}

/** Both kinds at once. @param pace sends a second; undefined: as many as are answered */
async function under(
  { zastava }: Gateways,
  measureMs: number,
  pace: { plain: number; streams: number } | undefined,
): Promise<Window> {
  const { target } = zastava;
  const of = { warmUpMs: pace ? 0 : WARM_UP_MS, measureMs };
  // Separate rooms, so that the two kinds never meet in a room.
  const streamed = { ...target, requests: (target.streams ?? []).slice(0, STREAM_CONNECTIONS) };
  const [plain, streams] = await Promise.all([
    load(target, {
      ...of,
      connections: PLAIN_CONNECTIONS,
      ...(pace && { perSecond: pace.plain }),
    }),
    load(streamed, {
      ...of,
      connections: STREAM_CONNECTIONS,
      ...(pace && { perSecond: pace.streams }),
    }),
  ]);
  return { plain, streams };
}

function tell(samples: Sample[]): void {
  const last = samples.at(-1);
  if (!last) return;
  const { seconds, residentBytes, openFiles, plainPerSecond, plainP99Ms } = last;
  console.error(
    `${(seconds / 60).toFixed(0)} min: ${(residentBytes / MIB).toFixed(0)} MiB, ${openFiles} files, ${grouped(plainPerSecond)} plain/s, p99 ${plainP99Ms.toFixed(1)} ms`,
  );
}

function drawn(samples: Sample[]): string {
  const of = (value: (sample: Sample) => number): number[] => samples.map(value);
  return plotOf(
    `Zastava at half of its full load, ${minutes} minutes`,
    of((sample) => sample.seconds / 60),
    [
      { title: 'resident memory, MiB', values: of((sample) => sample.residentBytes / MIB) },
      { title: 'open files', values: of((sample) => sample.openFiles) },
      {
        title: 'p99 of plain sends, ms',
        values: of((sample) => sample.plainP99Ms),
        digits: 1,
      },
      {
        title: 'sends a second, plain and streamed',
        values: of((sample) => sample.plainPerSecond + sample.streamsPerSecond),
      },
      { title: 'database, GiB', values: of((sample) => sample.databaseBytes / GIB), digits: 2 },
    ],
  );
}

function reportOf(of: {
  samples: Sample[];
  full: Window;
  failures: string[];
  answered: number;
  books: { answers: number; charges: number; broken: string[] };
  verdict: Verdict;
}): Report {
  const { samples, full, failures, answered, books, verdict } = of;
  const values = (value: (sample: Sample) => number): number[] =>
    samples.map(value).filter((each) => !Number.isNaN(each));
  const row = (what: string, value: (sample: Sample) => number, digits = 0): string[] => {
    const all = values(value);
    const hourly = slopeOf(samples.slice(verdict.from), value) * 3_600;
    return [
      what,
      (all[0] ?? Number.NaN).toFixed(digits),
      medianOf(all).toFixed(digits),
      Math.max(...all).toFixed(digits),
      (all.at(-1) ?? Number.NaN).toFixed(digits),
      hourly.toFixed(digits),
    ];
  };
  return {
    name: 'Soak',
    title: `${minutes} minutes at half of the full load`,
    columns: ['what', 'first', 'median', 'most', 'last', 'slope an hour'],
    rows: [
      row('resident memory, MiB', (sample) => sample.residentBytes / MIB),
      row('open files', (sample) => sample.openFiles),
      row('p99 of plain sends, ms', (sample) => sample.plainP99Ms, 1),
      row('p99 of streams, ms', (sample) => sample.streamP99Ms, 1),
      row('plain sends a second', (sample) => sample.plainPerSecond),
      row('streams a second', (sample) => sample.streamsPerSecond),
      row('database, GiB', (sample) => sample.databaseBytes / GIB, 2),
    ],
    notes: [
      `${verdict.flat ? 'Flat' : 'NOT FLAT'}: ${verdict.words}.`,
      `Full load, in the ${FULL_LOAD_MS / 1000} s before: ${grouped(full.plain.perSecond)} plain and ${grouped(full.streams.perSecond)} streamed sends a second at once, over ${PLAIN_CONNECTIONS} and ${STREAM_CONNECTIONS} connections, which are opened anew every ${WINDOW_MS / 1000} s. A sample a window: bench/soak.csv; drawn: docs/soak.svg.`,
      `${grouped(answered)} sends answered; in the database ${grouped(books.answers)} answers and ${grouped(books.charges)} charges; ${books.broken.length === 0 ? '`ledger verify` holds' : `\`ledger verify\` FAILS: ${books.broken.join(', ')}`}.`,
      canPin
        ? 'The gateway has core 0, mock provider and load generator have core 1. SQLite, synchronous=FULL.'
        : 'Nothing is pinned: gateway, mock provider and load generator share what there is. SQLite, synchronous=FULL.',
      ...(failures.length > 0
        ? [`${failures.length} windows FAILED, the first with: ${failures[0]}.`]
        : []),
    ],
  };
}
