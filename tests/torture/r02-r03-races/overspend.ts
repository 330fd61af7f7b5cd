/**
 * Promise R3: money for 10 and many concurrent sends over all nodes, through each interface; then money for all, with
 * an API key whose budget or limit is for 10. The provider reports all that it was allowed, so that each send costs its
 * whole hold: exactly 10 pass, and nothing is left.
 */
import { campaign, linesOf, unless, type Run } from '../support/campaign.ts';
import { CAP_MAX } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { postOk, login, newRoom } from '../support/client.ts';
import { entry, send, type Seen } from '../support/client-log.ts';
import type { ReportedUsage } from '../support/journal-provider.ts';
import { type ampleLimits, limitedKey } from '../support/limited-key.ts';
import { wayNames, type WayName } from '../support/ways.ts';
import { openRace, type RaceSizes } from './races.ts';

const MONEY_FOR = 10;
/** More than the hold of any send here. */
const TOLD = { prompt: 100 * CAP_MAX, completion: 100 * CAP_MAX, units: 100 * CAP_MAX };
/** A message's input tokens are at most its bytes and this. */
const TOKENS_A_MESSAGE = 16;
/** The window of limits per minute. */
const MINUTE_MS = 60_000;

const keyLimits = [
  'requests_per_minute',
  'tokens_per_minute',
  'rubles_per_day',
  'rubles_per_month',
  'rubles_total',
] as const satisfies readonly (keyof typeof ampleLimits)[];
type KeyLimit = (typeof keyLimits)[number];
const messageOf = (name: string) => `race ${name}`;
const tokensIn = (message: string) => Buffer.byteLength(message) + TOKENS_A_MESSAGE;

/** Finished calls count with their real use, so with limits of tokens they report as much as they held. */
function reportedFor(message: string): ReportedUsage {
  return message === messageOf('tokens_per_minute')
    ? { prompt: tokensIn(message), completion: CAP_MAX }
    : TOLD;
}

interface RacedWay {
  name: string;
  /** Absent: `/ai/send/`. */
  way?: WayName;
  socket?: boolean;
  detached?: boolean;
  background?: boolean;
  /** The limits of the API key that sends. */
  limit?: KeyLimit;
}

const waysToSend: readonly RacedWay[] = [
  { name: 'room' },
  { name: 'detached', detached: true },
  ...wayNames.map((way) => ({ name: way, way })),
  { name: 'socket', way: 'response', socket: true },
  { name: 'background', way: 'response', background: true },
];
const limitedWays: readonly RacedWay[] = keyLimits.map((limit) => ({ name: limit, limit }));

interface OverspendSizes extends RaceSizes {
  /** The number of the key's limits that are raced against. */
  limits: number;
}

export const overspend = campaign<OverspendSizes>({
  name: 'overspend',
  promise: 'R3',
  title: 'no overspend',
  full: { rounds: 5, requests: 1_000, nodes: 3, limits: keyLimits.length },
  // tests/chat/money-race.test.ts and limits-race.test.ts have many concurrent sends, on both databases.
  small: { rounds: 1, requests: 30, nodes: 1, limits: 0 },
  smallDialects: ['sqlite'],
  async run(run) {
    const rounds: Awaited<ReturnType<typeof oneRound>>[] = [];
    for (let round = 0; round < run.sizes.rounds; round++) rounds.push(await oneRound(run));
    const passed = Map.groupBy(
      rounds.flatMap((round) => round.passed),
      (number) => number,
    );
    return {
      figures: {
        ways: waysToSend.length,
        overloaded: rounds.reduce((sum, { overloaded }) => sum + overloaded, 0),
        ...Object.fromEntries([...passed].map(([n, of]) => [`${n} passed`, of.length])),
      },
      broken: rounds.flatMap(({ broken }, round) =>
        broken.map((line) => `round ${round}: ${line}`),
      ),
    };
  },
});

async function oneRound({ dialect, sizes }: Run<OverspendSizes>) {
  await using stack = new AsyncDisposableStack();
  const race = await openRace(dialect, sizes.nodes, stack, reportedFor);
  const admin = await race.stand.fillPurse(race.first.url);
  const reports: Raced[] = [];
  const ways = [...waysToSend, ...limitedWays.slice(0, sizes.limits)];
  for (const way of ways) reports.push(await raceIn(way, race, admin, sizes.requests));
  const { database, provider } = race.stand;
  const { findings } = await checkBooks({
    database,
    calls: provider.calls,
    log: [],
    died: false,
  });
  // All sends through an interface have words of the same length here, each its own.
  const { doubled: _, ...rest } = findings;
  return {
    passed: reports.map(({ passed }) => passed),
    overloaded: reports.reduce((sum, { overloaded }) => sum + overloaded, 0),
    broken: [...linesOf(rest), ...reports.flatMap(({ broken }) => broken)],
  };
}

/** The results of the sends through one interface. */
interface Raced {
  passed: number;
  overloaded: number;
  broken: string[];
}

async function raceIn(
  { name, way, limit, ...how }: RacedWay,
  { stand: { provider }, first, atOnce }: Awaited<ReturnType<typeof openRace>>,
  admin: string,
  requests: number,
): Promise<Raced> {
  const message = messageOf(name);
  const dear = (roomId: string) => entry({ message, roomId, way, ...how, cap: CAP_MAX });
  // A first send shows the cost of one.
  const adminRoom = await newRoom(first.url, admin);
  const price = costOf(await send(first.url, admin, dear(adminRoom)));
  const poor = { login: `poor-${name}`, password: 'poor-password' };
  const credit = price * (limit ? requests : MONEY_FOR);
  await postOk(first.url, admin, '/admin/users/add/', { ...poor, credit: credit / 1e6 });
  const session = await login(first.url, poor);
  const token = limit ? await keyFor(first.url, session, limit, { message, price }) : session;
  const roomId = await newRoom(first.url, token);
  const before = provider.calls.length;
  const start = performance.now();
  const seen = await atOnce(requests, (url) => send(url, token, dear(roomId)));
  const windows = limit?.endsWith('minute')
    ? 1 + Math.floor((performance.now() - start) / MINUTE_MS)
    : 1;
  const { balance } = await postOk(first.url, session, '/account/', {});
  const passed = seen.filter((one) => costOf(one) > 0).length;
  const calls = provider.calls.length - before;
  const left = (credit - passed * price) / 1e6;
  return {
    passed,
    overloaded: seen.filter(isOverloaded).length,
    broken: [
      ...linesOf({ [message]: [...new Set(seen.flatMap(oddIn))] }),
      ...unless(
        passed >= MONEY_FOR && passed <= MONEY_FOR * windows,
        `${message}: ${passed} passed, in ${windows} windows`,
      ),
      ...unless(balance === left, `${message}: the balance is ${String(balance)}, not ${left}`),
      ...unless(calls === passed, `${message}: ${calls} calls of the provider`),
    ],
  };
}

/** A key whose limit allows as many sends as the money of the others. */
async function keyFor(
  url: string,
  token: string,
  limit: KeyLimit,
  { message, price }: { message: string; price: number },
): Promise<string> {
  const one = {
    requests_per_minute: 1,
    tokens_per_minute: tokensIn(message) + CAP_MAX,
    rubles_per_day: price / 1e6,
    rubles_per_month: price / 1e6,
    rubles_total: price / 1e6,
  }[limit];
  const whole = Number((one * MONEY_FOR).toFixed(6));
  return (await limitedKey(url, token, { [limit]: whole })).key;
}

/** Micro-rubles; 0 for a send that was not answered. */
function costOf(seen: Seen): number {
  if (seen.how === 'abridged') return seen.cost;
  return seen.how === 'answered' ? seen.costRequest + seen.costResponse : 0;
}

/** On a busy machine some are not even processed. */
function isOverloaded(seen: Seen): boolean {
  return seen.how === 'refused' && seen.code === 'overloaded';
}

/** The results that were neither an answer nor a refusal by balance or limit. */
function oddIn(seen: Seen): string[] {
  const isRefused = seen.how === 'refused' && (seen.status === 402 || seen.code === 'rate_limited');
  return costOf(seen) > 0 || isRefused || isOverloaded(seen) ? [] : [JSON.stringify(seen)];
}
