import { mkdir } from 'node:fs/promises';
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
import { canPin, fileBytes, type Running } from './support/processes.ts';
import type { Report } from './support/report.ts';
import { outputTokensMax, postText, question, type Target } from './support/target.ts';
import { environment, readBooks, restartZastava, startZastava } from './support/zastava.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const MEASURE_MS = 3_000;
const CHAT_DEPTH = 10;
/** Other users that send, each in its room, one after the other. */
const ACTIVE = 10_000;
const TOKEN_TTL_S = 86_400;
const GIB = 2 ** 30;

const DEFAULT: Filling = { users: 20_000, messagesEach: 50, largeRooms: 1, messagesLarge: 1e6 };
const FULL: Filling = { users: 100_000, messagesEach: 50, largeRooms: 5, messagesLarge: 1e6 };

const loads = ['large rooms', 'other rooms', 'both'] as const;
type LoadName = (typeof loads)[number];

interface Grown {
  name: string;
  messages: number;
  bytes: number;
  directory: string;
  running: Running;
  targets: Record<LoadName, Target>;
  results: Record<LoadName, GrownResult[]>;
}

interface GrownResult extends Measured {
  /** An answer, KiB: from the database's files, and to them. */
  readKib: number;
  writtenKib: number;
}

/** Sends to a database with years of messages in it, beside an empty one. */
export const growth: Measure = {
  name: 's4',
  async run(options) {
    const filling = options.full ? FULL : DEFAULT;
    await using place = await temporaryDirectory();
    const mock = await startMock();
    const open = async (name: string, of: Filling): Promise<Grown> => {
      const directory = join(place.path, name);
      return openGrown(name, { directory, mockUrl: mock.url, filling: of, options });
    };
    const nothing = { messagesEach: 0, messagesLarge: 0, largeRooms: filling.largeRooms };
    const empty = await open('empty', { ...nothing, users: Math.min(ACTIVE, filling.users) });
    const filled = await open('filled', filling);
    await measureRounds([empty, filled], options);
    await Promise.all([mock.stop(), empty.running.stop(), filled.running.stop()]);
    options.progress('verifying the books');
    const broken = [empty, filled].map(
      async ({ directory }) => (await readBooks(directory)).broken,
    );
    return reportOf(empty, filled, filling, (await Promise.all(broken)).flat());
  },
};

async function openGrown(
  name: string,
  at: { directory: string; mockUrl: string; filling: Filling; options: MeasureOptions },
): Promise<Grown> {
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
  options.progress(`${name}: ${(bytes / GIB).toFixed(2)} GiB in ${seconds} s`);
  const running = await restartZastava(directory);
  const url = running.readyLine.replace('listening on ', '');
  const textsOf = await textMaker(url, env);
  const large = await textsOf(rooms.large, CHAT_DEPTH);
  const others = await textsOf(rooms.others, 0);
  const target = (requests: string[]): Target => ({ name, url, requests, pid: running.pid });
  const { users, messagesEach, largeRooms, messagesLarge } = filling;
  return {
    name,
    bytes,
    directory,
    running,
    messages: users * messagesEach + largeRooms * messagesLarge,
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

/** Requests in the name of users that never logged in: a login takes as long as a hundred sends. */
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
      // Who goes first changes, so that neither always has the caches that the other left.
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

function reportOf(empty: Grown, filled: Grown, filling: Filling, broken: string[]): Report {
  const rows = loads.flatMap((name) => {
    const base = median(empty.results[name], (each) => each.perSecond);
    return [empty, filled].map(({ name: database, results }) => {
      const rounds = results[name];
      const rate = median(rounds, (each) => each.perSecond);
      return [
        `${name}, ${database}`,
        grouped(rate),
        spreadOf(rounds.map((each) => each.perSecond)),
        `${((rate / base) * 100).toFixed(0)} %`,
        median(rounds, (each) => each.cpuMicros).toFixed(0),
        median(rounds, (each) => each.p50Ms).toFixed(2),
        median(rounds, (each) => each.p99Ms).toFixed(2),
        median(rounds, (each) => each.readKib).toFixed(1),
        median(rounds, (each) => each.writtenKib).toFixed(1),
      ];
    });
  });
  return {
    name: 'S4',
    title: `growth: sends to a database with ${grouped(filled.messages)} messages and to an empty one`,
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
      `SQLite, ${(filled.bytes / GIB).toFixed(1)} GiB: ${filling.largeRooms} ${filling.largeRooms === 1 ? 'room' : 'rooms'} of ${grouped(filling.messagesLarge)} messages, and ${grouped(filling.users)} users with ${filling.messagesEach} messages each; filled by SQL as years of use would, room after room by one message; it lies in the system's page cache.`,
      `${ROUNDS} interleaved rounds of ${MEASURE_MS / 1000} s after ${WARM_UP_MS / 1000} s of warm-up, ${CONNECTIONS} connections; medians. Sends to large rooms take the last ${CHAT_DEPTH} messages along; other rooms are ${grouped(Math.min(ACTIVE, filling.users))}, chosen at random, in turn, each with its user's token; “both” is half and half.`,
      'KiB an answer that the gateway read from its database files, mostly out of the system’s page cache, and wrote to them.',
      'The empty database has the same rooms and users that send, and nothing in them.',
      broken.length === 0
        ? '`ledger verify` holds on both.'
        : `\`ledger verify\` FAILS: ${broken.join(', ')}.`,
      canPin
        ? 'Two cores: the gateway has one, mock provider and load generator the other.'
        : 'Nothing is pinned: gateway, mock provider and load generator share one core.',
    ],
  };
}
