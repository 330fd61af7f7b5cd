/**
 * Promise R3: money for 10, many sends at once over all nodes, in each way of sending. The provider
 * reports more than it was allowed, so that each send costs its whole hold: exactly 10 pass, and nothing is left.
 */
import { campaign, linesOf, unless, type Run } from '../support/campaign.ts';
import { CAP_MAX } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { ask, login, newRoom } from '../support/client.ts';
import { entry, send, type Seen } from '../support/client-log.ts';
import { wayNames, type WayName } from '../support/ways.ts';
import { openRace, type RaceSizes } from './races.ts';

const MONEY_FOR = 10;
/** More than the hold of any send here pays for. */
const TOLD = { prompt: 100 * CAP_MAX, completion: 100 * CAP_MAX, units: 100 * CAP_MAX };
interface RacedWay {
  name: string;
  /** Absent: `/ai/send/`. */
  way?: WayName;
  socket?: boolean;
  detached?: boolean;
}

const allWays: readonly RacedWay[] = [
  { name: 'room' },
  { name: 'detached', detached: true },
  ...wayNames.map((way) => ({ name: way, way })),
  { name: 'socket', way: 'response', socket: true },
];

export const overspend = campaign<RaceSizes>({
  name: 'overspend',
  promise: 'R3',
  title: 'no overspend',
  full: { rounds: 5, requests: 1_000, nodes: 3 },
  // tests/chat/money-race.test.ts has many sends at once, on both databases.
  small: { rounds: 1, requests: 30, nodes: 1 },
  smallDialects: ['sqlite'],
  async run(run) {
    const rounds: Awaited<ReturnType<typeof oneRound>>[] = [];
    for (let round = 0; round < run.sizes.rounds; round++) rounds.push(await oneRound(run));
    const passed = Map.groupBy(
      rounds.flatMap((round) => round.passed),
      (number) => number,
    );
    return {
      told: {
        ways: allWays.length,
        overloaded: rounds.reduce((sum, { overloaded }) => sum + overloaded, 0),
        ...Object.fromEntries([...passed].map(([n, of]) => [`${n} passed`, of.length])),
      },
      broken: rounds.flatMap(({ broken }, round) =>
        broken.map((line) => `round ${round}: ${line}`),
      ),
    };
  },
});

async function oneRound({ dialect, sizes }: Run<RaceSizes>) {
  await using stack = new AsyncDisposableStack();
  const race = await openRace(dialect, sizes.nodes, stack, TOLD);
  const admin = await race.stand.fillPurse(race.first.url);
  const reports: Raced[] = [];
  for (const way of allWays) reports.push(await raceIn(way, race, admin, sizes.requests));
  const { database, provider } = race.stand;
  const { findings } = await checkBooks({
    database,
    calls: provider.calls,
    log: [],
    died: false,
  });
  // All sends of a way have the same words here, and each is its own.
  const { doubled: _, ...rest } = findings;
  return {
    passed: reports.map(({ passed }) => passed),
    overloaded: reports.reduce((sum, { overloaded }) => sum + overloaded, 0),
    broken: [...linesOf(rest), ...reports.flatMap(({ broken }) => broken)],
  };
}

/** How the sends of one way ended. */
interface Raced {
  passed: number;
  overloaded: number;
  broken: string[];
}

async function raceIn(
  { name, way, socket, detached }: RacedWay,
  { stand: { provider }, first, atOnce }: Awaited<ReturnType<typeof openRace>>,
  admin: string,
  requests: number,
): Promise<Raced> {
  const message = `race ${name}`;
  const dear = (roomId: string) => entry({ message, roomId, way, socket, detached, cap: CAP_MAX });
  // What one costs is seen by making one.
  const adminRoom = await newRoom(first.url, admin);
  const price = costOf(await send(first.url, admin, dear(adminRoom)));
  const poor = { login: `poor-${name}`, password: 'poor-password' };
  await ask(first.url, admin, '/admin/users/add/', { ...poor, credit: (price * MONEY_FOR) / 1e6 });
  const token = await login(first.url, poor);
  const roomId = await newRoom(first.url, token);
  const before = provider.calls.length;
  const seen = await atOnce(requests, (url) => send(url, token, dear(roomId)));
  const { balance } = await ask(first.url, token, '/account/', {});
  const passed = seen.filter((one) => costOf(one) > 0).length;
  const calls = provider.calls.length - before;
  return {
    passed,
    overloaded: seen.filter(isOverloaded).length,
    broken: [
      ...linesOf({ [message]: [...new Set(seen.flatMap(oddIn))] }),
      ...unless(passed === MONEY_FOR, `${message}: ${passed} passed`),
      ...unless(balance === 0, `${message}: the balance is ${String(balance)}`),
      ...unless(calls === passed, `${message}: ${calls} calls of the provider`),
    ],
  };
}

/** Micro-rubles; 0 for a send that was not answered. */
function costOf(seen: Seen): number {
  if (seen.how === 'told') return seen.cost;
  return seen.how === 'answered' ? seen.costRequest + seen.costResponse : 0;
}

/** On a busy machine some are not even looked at. */
function isOverloaded(seen: Seen): boolean {
  return seen.how === 'refused' && seen.code === 'overloaded';
}

/** What was neither an answer nor a refusal for want of money. */
function oddIn(seen: Seen): string[] {
  const isRefused = seen.how === 'refused' && seen.status === 402;
  return costOf(seen) > 0 || isRefused || isOverloaded(seen) ? [] : [JSON.stringify(seen)];
}
