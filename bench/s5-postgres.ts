import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { temporaryDirectory } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure } from './support/measure.ts';
import { startMock } from './support/mock.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { canPin, cpuMs, type Running } from './support/processes.ts';
import type { Report } from './support/report.ts';
import type { Target } from './support/target.ts';
import { catalogueText, readBooks, restartZastava, startZastava } from './support/zastava.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const FIRST_WARM_UP_MS = 3_000;
const MEASURE_MS = 3_000;
const NODES = 3;
const SECRET = 'a secret of the benchmark, 32 bytes or more';

/** Nodes that share the connections of one load, and their results. */
interface Group {
  name: string;
  nodes: Target[];
  rounds: GroupRound[];
}

interface GroupRound {
  perSecond: number;
  /** Microseconds of processor time an answer: of all nodes, and of the database server. */
  nodeMicros: number;
  databaseMicros: number;
  p50Ms: number;
  p99Ms: number;
  peersBusy: number | undefined;
}

/** PostgreSQL with one node and with three, compared with SQLite. */
export const postgres: Measure = {
  name: 's5',
  async run({ progress }) {
    await using place = await temporaryDirectory();
    await using database = await startDatabaseServer();
    const mock = await startMock();
    const at = (name: string) => ({ mockUrl: mock.url, directory: join(place.path, name) });
    const sqlite = await startZastava(await made(at('sqlite')), CONNECTIONS);
    const env = { ZASTAVA_SECRET: SECRET, ZASTAVA_DATABASE_URL: await database.create('s5') };
    const first = await startZastava({ ...(await made(at('node-1'))), env }, CONNECTIONS);
    const others: Running[] = [];
    for (let node = 2; node <= NODES; node++) {
      others.push(await anotherNode(await made(at(`node-${node}`)), env));
    }
    const unprepared = { ...env, ZASTAVA_DATABASE_POOLING: 'transaction' };
    const pooled = await anotherNode(await made(at('pooled')), unprepared);
    const onEach = (target: Target): Target[] => [
      target,
      ...others.map((running) => onNode(target, running)),
    ];
    const groups = [
      group('SQLite', [sqlite.manyUsers]),
      group('PostgreSQL, one node', [first.manyUsers]),
      group('the same, nothing prepared', [onNode(first.manyUsers, pooled)]),
      group('PostgreSQL, three nodes', onEach(first.manyUsers)),
      group('PostgreSQL, three nodes, one user', onEach(first.target)),
    ];
    for (let round = 1; round <= ROUNDS; round++) {
      for (const each of groups) {
        const measured = await measure(each, database, round);
        each.rounds.push(measured);
        progress(`round ${round}/${ROUNDS}: ${each.name}: ${grouped(measured.perSecond)}/s`);
      }
    }
    await Promise.all([mock, sqlite, first, pooled, ...others].map((each) => each.stop()));
    const books = await Promise.all([
      readBooks(join(place.path, 'sqlite')),
      readBooks(join(place.path, 'node-1'), env),
    ]);
    return reportOf(
      groups,
      books.flatMap(({ broken }) => broken),
    );
  },
};

function group(name: string, nodes: Target[]): Group {
  return { name, nodes, rounds: [] };
}

async function made<T extends { directory: string }>(place: T): Promise<T> {
  await mkdir(place.directory);
  return place;
}

async function anotherNode(
  { mockUrl, directory }: { mockUrl: string; directory: string },
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  await Bun.write(join(directory, 'catalogue.yaml'), catalogueText(mockUrl));
  return restartZastava(directory, env);
}

/** The same requests to another node. */
function onNode(target: Target, { readyLine, pid }: Running): Target {
  return { ...target, url: readyLine.replace('listening on ', ''), pid };
}

/** Every node gets its part of the connections, and rooms to which no other node sends. */
async function measure(
  { nodes }: Group,
  database: DatabaseServer,
  round: number,
): Promise<GroupRound> {
  const warmUpMs = round === 1 ? FIRST_WARM_UP_MS : WARM_UP_MS;
  const before = cpuMs(database.pid) ?? Number.NaN;
  const results = await Promise.all(
    nodes.map((node, index) => {
      const requests = node.requests.filter((_, at) => at % nodes.length === index);
      const connections = nodes.length === 1 ? CONNECTIONS : requests.length;
      return load({ ...node, requests }, { connections, warmUpMs, measureMs: MEASURE_MS });
    }),
  );
  const used = (cpuMs(database.pid) ?? Number.NaN) - before;
  const sum = (of: (each: Measured) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  const answers = sum((each) => each.answersInAll);
  return {
    perSecond: sum((each) => each.perSecond),
    nodeMicros: sum((each) => (each.cpuMicros ?? Number.NaN) * each.answersInAll) / answers,
    databaseMicros: (used * 1000) / answers,
    p50Ms: medianOf(results.map((each) => each.p50Ms)),
    p99Ms: Math.max(...results.map((each) => each.p99Ms)),
    peersBusy: results[0]?.peersBusy,
  };
}

function reportOf(groups: Group[], broken: string[]): Report {
  const median = ({ rounds }: Group, of: (round: GroupRound) => number | undefined): number =>
    medianOf(rounds.map((round) => of(round) ?? Number.NaN));
  const [sqlite] = groups;
  const base = sqlite ? median(sqlite, (round) => round.perSecond) : Number.NaN;
  return {
    name: 'S5',
    title: `PostgreSQL, one node and three, beside SQLite, ${CONNECTIONS} connections`,
    columns: [
      'target',
      'answers/s',
      'of all rounds',
      'of SQLite',
      'CPU µs',
      'of PostgreSQL µs',
      'p50 ms',
      'p99 ms',
      'peers busy',
    ],
    rows: groups.map((each) => {
      const rate = median(each, (round) => round.perSecond);
      const busy = median(each, (round) => round.peersBusy);
      return [
        each.name,
        grouped(rate),
        spreadOf(each.rounds.map((round) => round.perSecond)),
        `${((rate / base) * 100).toFixed(0)} %`,
        median(each, (round) => round.nodeMicros).toFixed(0),
        each === sqlite ? '' : median(each, (round) => round.databaseMicros).toFixed(0),
        median(each, (round) => round.p50Ms).toFixed(2),
        median(each, (round) => round.p99Ms).toFixed(2),
        Number.isNaN(busy) ? '' : `${(busy * 100).toFixed(0)} %`,
      ];
    }),
    notes: [
      `${ROUNDS} interleaved rounds of ${MEASURE_MS / 1000} s; medians. A user a room and connection, but for the last row, where all are one user's and every send waits for the same account row.`,
      canPin
        ? 'This machine has two cores: all nodes share core 0; PostgreSQL, mock provider and load generator share core 1, whose use is “peers busy”. Three nodes can show here that they do not get in each other’s way, not that they are faster: for that each needs a core of its own.'
        : 'Nothing is pinned: nodes, PostgreSQL, mock provider and load generator share what there is.',
      'PostgreSQL with fsync, full_page_writes and synchronous_commit; SQLite with synchronous=FULL. “CPU µs” is processor time an answer, of all nodes; then of the whole PostgreSQL server.',
      '“Nothing prepared” is ZASTAVA_DATABASE_POOLING=transaction, straight to PostgreSQL: what PgBouncer’s transaction mode asks of the node.',
      broken.length === 0
        ? '`ledger verify` holds on both.'
        : `\`ledger verify\` FAILS: ${broken.join(', ')}.`,
    ],
  };
}
