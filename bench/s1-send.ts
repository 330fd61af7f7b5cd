import { withGateways, type Gateways } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { canPin, residentBytes } from './support/processes.ts';
import type { Report } from './support/report.ts';
import type { Target } from './support/target.ts';
import { readBooks, type Books } from './support/zastava.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
/** Peers are slow, so fewer answers are enough. */
const ROUNDS_WITH_PEERS = 3;
const WARM_UP_MS = 1_000;
const MEASURE_MS = 3_000;
/** Once, before the first round: Node takes a while to compile Portkey's code. */
const FIRST_WARM_UP_MS = 3_000;
/** If others took this much of the gateway's core, the figures suffer. */
const DISTURBED_SHARE = 0.05;

/** Durable sends a second on one core, compared with a bare proxy and a gateway without billing. */
export const sends: Measure = {
  name: 's1',
  run: (options) =>
    withGateways({ rooms: CONNECTIONS, compared: true, peers: options.peers }, async (gateways) => {
      const results = await measureRounds(gateways, options);
      const given = await gateways.mock.completions();
      const memory = new Map([...results.keys()].map((target) => [target, mebibytes(target.pid)]));
      await gateways.stopZastava();
      const books = await readBooks(gateways.directory);
      return reportOf(gateways, { results, memory }, books, given);
    }),
};

type Results = Map<Target, Measured[]>;

async function measureRounds(gateways: Gateways, options: MeasureOptions): Promise<Results> {
  const targets = [...gateways.targets, gateways.zastava.manyUsers];
  const results: Results = new Map(targets.map((target) => [target, []]));
  const rounds = options.peers ? ROUNDS_WITH_PEERS : ROUNDS;
  for (let round = 1; round <= rounds; round++) {
    for (const [target, measured] of results) {
      const warmUpMs = round === 1 ? FIRST_WARM_UP_MS : WARM_UP_MS;
      const result = await load(target, {
        connections: CONNECTIONS,
        warmUpMs,
        measureMs: MEASURE_MS,
      });
      measured.push(result);
      options.progress(`round ${round}/${rounds}: ${target.name}: ${grouped(result.perSecond)}/s`);
    }
  }
  return results;
}

interface Seen {
  results: Results;
  memory: Map<Target, string>;
}

function reportOf(
  gateways: Gateways,
  { results, memory }: Seen,
  books: Books,
  given: number,
): Report {
  const rateOf = (target: Target | undefined): number =>
    medianOf((target && results.get(target)?.map((each) => each.perSecond)) ?? []);
  const nginx = rateOf(gateways.nginx);
  const portkey = rateOf(gateways.portkey);
  return {
    name: 'S1',
    title: `durable sends a second on one core, ${CONNECTIONS} connections`,
    columns: [
      'target',
      'answers/s',
      'of all rounds',
      'of nginx',
      '× Portkey',
      'CPU µs',
      'of its database µs',
      'memory MiB',
      'p50 ms',
      'p99 ms',
      'peers busy',
      'disturbed',
    ],
    rows: [...results].map(([target, rounds]) => {
      const median = (of: (each: Measured) => number): number => medianOf(rounds.map(of));
      const rates = rounds.map((each) => each.perSecond);
      const rate = medianOf(rates);
      const isGateway = target.pid !== undefined;
      return [
        target.name,
        grouped(rate),
        spreadOf(rates),
        isGateway && nginx > 0 ? percent(rate / nginx) : '',
        isGateway && portkey > 0 ? (rate / portkey).toFixed(1) : '',
        isGateway ? median((each) => each.cpuMicros ?? Number.NaN).toFixed(0) : '',
        target.databasePid === undefined
          ? ''
          : median((each) => each.databaseMicros ?? Number.NaN).toFixed(0),
        memory.get(target) ?? '',
        median((each) => each.p50Ms).toFixed(2),
        median((each) => each.p99Ms).toFixed(2),
        percent(median((each) => each.peersBusy ?? Number.NaN)),
        isGateway ? percent(median((each) => each.disturbed ?? Number.NaN)) : '',
      ];
    }),
    notes: notesOf(gateways, results, books, given),
  };
}

function notesOf(gateways: Gateways, results: Results, books: Books, given: number): string[] {
  const all = [...results.values()].flat();
  // Peers have a separate mock.
  const answered = [...results]
    .filter(([target]) => !gateways.elsewhere.has(target))
    .flatMap(([, rounds]) => rounds)
    .reduce((sum, each) => sum + each.answersInAll, 0);
  const rounds = [...results.values()][0]?.length ?? 0;
  const worst = Math.max(...all.map((each) => each.disturbed ?? 0));
  const sent = [gateways.zastava.target, gateways.zastava.manyUsers]
    .flatMap((target) => results.get(target) ?? [])
    .reduce((sum, each) => sum + each.answersInAll, 0);
  const balance =
    books.broken.length === 0
      ? '`ledger verify` holds'
      : `\`ledger verify\` FAILS: ${books.broken.join(', ')}`;
  return [
    `${rounds} interleaved rounds of ${MEASURE_MS / 1000} s after ${WARM_UP_MS / 1000} s of warm-up; medians.`,
    canPin
      ? 'The gateway is alone on core 0; mock provider and load generator share core 1, whose use is “peers busy”.'
      : 'Nothing is pinned: this machine has one core, or no taskset.',
    `Zastava on SQLite, WAL, synchronous=FULL: history, double-entry ledger and balance are on disk before the answer. Every connection has its own room; “one user” owns all rooms of that row, the other row has a user a room. nginx, Portkey and LiteLLM without a database keep nothing.`,
    'Memory is the resident set after the last round, without the database’s.',
    `${grouped(sent)} sends of Zastava answered; in its database ${grouped(books.answers)} answers and ${grouped(books.charges)} charges; ${balance}. The mock gave ${grouped(given)} completions for ${grouped(answered)} answers in all.`,
    ...(worst > DISTURBED_SHARE
      ? [
          `Other work on this machine took up to ${percent(worst)} of the gateway's core in a round (“disturbed”: the median); CPU µs, the processor time an answer, suffers less from that.`,
        ]
      : []),
    ...gateways.absent.map((sentence) => `${sentence}.`),
  ];
}

function mebibytes(pid: number | undefined): string {
  const bytes = pid === undefined ? undefined : residentBytes(pid);
  return bytes === undefined ? '' : (bytes / 2 ** 20).toFixed(0);
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
