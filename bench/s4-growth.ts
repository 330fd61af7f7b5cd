import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSecret, readConfig } from '../src/config/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { Tokens } from '../src/users/index.ts';
import { FilledBooks, type FilledRoom, type Filling } from './support/filled-books.ts';
import { temporaryDirectory } from './support/gateways.ts';
import { load, type Measured } from './support/load.ts';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { startMock } from './support/mock.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { canPin, fileBytes, residentBytes, type Running } from './support/processes.ts';
import type { Report } from './support/report.ts';
import { outputTokensMax, postText, question, type Target } from './support/target.ts';
import { environment, readBooks, restartZastava, startZastava } from './support/zastava.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const MEASURE_MS = 3_000;
const CHAT_DEPTH = 10;
/** Other users who send, each in one room, one after the other. */
const ACTIVE = 10_000;
const TOKEN_TTL_S = 86_400;
const GIB = 2 ** 30;
const MIB = 2 ** 20;
/** Enough for the pages of all users who send. */
const LARGE_CACHE_MIB = 512;

const DEFAULT: Filling = { users: 20_000, messagesEach: 50, largeRooms: 1, messagesLarge: 1e6 };
const FULL: Filling = { users: 100_000, messagesEach: 50, largeRooms: 5, messagesLarge: 1e6 };

const loads = ['large rooms', 'other rooms', 'both'] as const;
type LoadName = (typeof loads)[number];

/** A database that is served; there are two of each, which differ only in the page cache. */
interface Grown {
  name: string;
  of: 'empty' | 'filled';
  hasLargeCache: boolean;
  messages: number;
  bytes: number;
  directory: string;
  running: Running;
  targets: Record<LoadName, Target>;
  results: Record<LoadName, GrownResult[]>;
}

interface GrownResult extends Measured {
  /** KiB an answer, read from the database's files and written to them. */
  readKib: number;
  writtenKib: number;
}

/** Sends to a database that contains years of messages, compared with an empty one. */
export const growth: Measure = {
  name: 's4',
  async run(options) {
    const filling = options.full ? FULL : DEFAULT;
    await using place = await temporaryDirectory();
    const mock = await startMock();
    const open = async (of: Grown['of'], what: Filling): Promise<Grown[]> => {
      const directory = join(place.path, of);
      return openGrown(of, { directory, mockUrl: mock.url, filling: what, options });
    };
    const nothing = { messagesEach: 0, messagesLarge: 0, largeRooms: filling.largeRooms };
    const databases = [
      ...(await open('empty', { ...nothing, users: Math.min(ACTIVE, filling.users) })),
      ...(await open('filled', filling)),
    ];
    await measureRounds(databases, options);
    const memory = databases.map(memoryOf);
    await Promise.all([mock.stop(), ...databases.map(({ running }) => running.stop())]);
    options.progress('verifying the books');
    const broken = databases.map(async ({ directory }) => (await readBooks(directory)).broken);
    return reportOf(databases, filling, memory, (await Promise.all(broken)).flat());
  },
};

interface Place {
  directory: string;
  mockUrl: string;
  filling: Filling;
  options: MeasureOptions;
}

/** @returns one with the default page cache, and a copy with a large one */
async function openGrown(of: Grown['of'], at: Place): Promise<Grown[]> {
  const { directory, filling, options } = at;
  await mkdir(directory);
  await (await startZastava({ mockUrl: at.mockUrl, directory }, 0)).stop();
  const env = environment(directory);
  const books = new FilledBooks(join(env.ZASTAVA_DATA_DIR, 'zastava.sqlite'));
  const start = performance.now();
  books.fill(filling, options.progress);
  const rooms = books.rooms(Math.min(ACTIVE, filling.users));
  const bytes = books.close();
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  options.progress(`${of}: ${(bytes / GIB).toFixed(2)} GiB in ${seconds} s`);
  const { users, messagesEach, largeRooms, messagesLarge } = filling;
  const messages = users * messagesEach + largeRooms * messagesLarge;
  const copy = `${directory}-copy`;
  await cp(directory, copy, { recursive: true });
  return Promise.all([
    serveGrown(rooms, { of, directory, messages, bytes, hasLargeCache: false }),
    serveGrown(rooms, { of, directory: copy, messages, bytes, hasLargeCache: true }),
  ]);
}

type Rooms = ReturnType<FilledBooks['rooms']>;
type Facts = Pick<Grown, 'of' | 'directory' | 'messages' | 'bytes' | 'hasLargeCache'>;

async function serveGrown(rooms: Rooms, facts: Facts): Promise<Grown> {
  const { of, directory, hasLargeCache } = facts;
  const cache = { ZASTAVA_SQLITE_CACHE_MIB: String(LARGE_CACHE_MIB) };
  const running = await restartZastava(directory, hasLargeCache ? cache : {});
  const url = running.readyLine.replace('listening on ', '');
  const textsOf = await textMaker(url, environment(directory));
  const large = await textsOf(rooms.large, CHAT_DEPTH);
  const others = await textsOf(rooms.others, 0);
  const name = hasLargeCache ? `${of}, cache of ${LARGE_CACHE_MIB} MiB` : of;
  const target = (requests: string[]): Target => ({ name, url, requests, pid: running.pid });
  return {
    ...facts,
    name,
    running,
    targets: {
      'large rooms': target(Array.from(others, (_, index) => large[index % large.length] ?? '')),
      'other rooms': target(others),
      // Every second connection sends to large rooms.
      both: target(
        others.map((text, index) => (index % 2 ? text : (large[index % large.length] ?? ''))),
      ),
    },
    results: { 'large rooms': [], 'other rooms': [], both: [] },
  };
}

/** Requests in the name of users who never logged in: a login takes as long as a hundred sends. */
async function textMaker(url: string, env: Record<string, string>) {
  const { bytes: secret } = await makeSecret(readConfig(env));
  const lives = { ttlSeconds: TOKEN_TTL_S, sessionMaxSeconds: TOKEN_TTL_S };
  const tokens = new Tokens({ clock: systemClock, secret, ...lives });
  return (rooms: FilledRoom[], depth: number): Promise<string[]> =>
    Promise.all(
      rooms.map(async ({ userId, roomId }) => {
        const { token } = await tokens.issue(userId, 0);
        const about = { room_id: roomId, ai: 101, message: question, chat_depth: depth };
        const body = { ...about, max_output_tokens: outputTokensMax };
        return postText(url, '/ai/send/', { authorization: `Bearer ${token}` }, body);
      }),
    );
}

async function measureRounds(databases: Grown[], { progress }: MeasureOptions): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of loads) {
      // The order changes, so that no database always has the caches that the other left.
      const inOrder = round % 2 ? databases : databases.toReversed();
      for (const { name: database, targets, results } of inOrder) {
        const result = await measure(targets[name]);
        results[name].push(result);
        progress(`round ${round}/${ROUNDS}: ${name}, ${database}: ${grouped(result.perSecond)}/s`);
      }
    }
  }
}

async function measure(target: Target): Promise<GrownResult> {
  const pid = target.pid ?? 0;
  const before = fileBytes(pid);
  const result = await load(target, {
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    measureMs: MEASURE_MS,
    inTurn: true,
  });
  const after = fileBytes(pid);
  const kib = (what: 'read' | 'written'): number =>
    before && after ? (after[what] - before[what]) / 1024 / result.answersInAll : Number.NaN;
  return { ...result, readKib: kib('read'), writtenKib: kib('written') };
}

function median(rounds: GrownResult[], value: (each: GrownResult) => number | undefined): number {
  return medianOf(rounds.map((each) => value(each) ?? Number.NaN));
}

function memoryOf({ name, running }: Grown): string {
  return `${name} ${((residentBytes(running.pid) ?? Number.NaN) / MIB).toFixed(0)} MiB`;
}

function reportOf(
  databases: Grown[],
  filling: Filling,
  memory: string[],
  broken: string[],
): Report {
  const rateOf = (name: LoadName, of: Grown | undefined): number =>
    median(of?.results[name] ?? [], (each) => each.perSecond);
  const rows = loads.flatMap((name) =>
    databases.map((database) => {
      const rounds = database.results[name];
      const base = databases.find(
        (other) => other.of === 'empty' && other.hasLargeCache === database.hasLargeCache,
      );
      const rate = rateOf(name, database);
      return [
        `${name}, ${database.name}`,
        grouped(rate),
        spreadOf(rounds.map((each) => each.perSecond)),
        `${((rate / rateOf(name, base)) * 100).toFixed(0)} %`,
        median(rounds, (each) => each.cpuMicros).toFixed(0),
        median(rounds, (each) => each.p50Ms).toFixed(2),
        median(rounds, (each) => each.p99Ms).toFixed(2),
        median(rounds, (each) => each.readKib).toFixed(1),
        median(rounds, (each) => each.writtenKib).toFixed(1),
      ];
    }),
  );
  const filled = databases.find(({ of }) => of === 'filled');
  return {
    name: 'S4',
    title: `growth: sends to a database with ${grouped(filled?.messages ?? 0)} messages and to an empty one`,
    columns: [
      'load',
      'answers/s',
      'of all rounds',
      'of empty',
      'CPU µs',
      'p50 ms',
      'p99 ms',
      'KiB read',
      'KiB written',
    ],
    rows,
    notes: [
      `SQLite, ${((filled?.bytes ?? 0) / GIB).toFixed(1)} GiB: ${filling.largeRooms} ${filling.largeRooms === 1 ? 'room' : 'rooms'} of ${grouped(filling.messagesLarge)} messages, and ${grouped(filling.users)} users with ${filling.messagesEach} messages each; filled by SQL as years of use would, room after room by one message; it lies in the system's page cache.`,
      `${ROUNDS} interleaved rounds of ${MEASURE_MS / 1000} s after ${WARM_UP_MS / 1000} s of warm-up, ${CONNECTIONS} connections; medians. Sends to large rooms take the last ${CHAT_DEPTH} messages along; other rooms are ${grouped(Math.min(ACTIVE, filling.users))}, chosen at random, in turn, each with its user's token; “both” is half and half.`,
      'KiB an answer that the gateway read from its database files, mostly out of the system’s page cache, and wrote to them.',
      'The empty database has the same rooms and users that send, and nothing in them.',
      `The page cache is the default of 32 MiB, or ZASTAVA_SQLITE_CACHE_MIB=${LARGE_CACHE_MIB}; “of empty” compares databases with the same cache. Resident memory after the last round: ${memory.join('; ')}.`,
      broken.length === 0
        ? '`ledger verify` holds on all.'
        : `\`ledger verify\` FAILS: ${broken.join(', ')}.`,
      canPin
        ? 'Two cores: the gateway has one, mock provider and load generator the other.'
        : 'Nothing is pinned: gateway, mock provider and load generator share one core.',
    ],
  };
}
