/**
 * Promise R22: no answer is charged less than it cost. Streams that are left while the model has hidden or shown
 * reasoning, our own deadline, ignored caps, words outside the messages, usage above the hold: each charge is what the
 * provider bills at our prices, within the hold, and losses are logged, counted and listed.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { CAP_MAX, catalogueFor, TEXT } from '../support/catalogue.ts';
import { readStored, type StoredMessage } from '../support/check/stored.ts';
import { postOk, newRoom, post } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { becomesQuiet } from '../support/quiet.ts';
import { between, pick, randomFrom } from '../support/random.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openStand } from '../support/stand.ts';
import {
  caseOf,
  cases,
  startGreedyProvider,
  type Case,
  type GreedyCall,
} from './greedy-provider.ts';
import { holdsFor, lostIn } from './rules.ts';

const CLIENTS = 16;
const REASONER = 201;
const HURRIED = 202;
const DEADLINE_S = 2;
/** A client leaves between the first moment and a little after the end. */
const LEAVE_MS = 100;
const QUIET_WITHIN_MS = 120_000;
const NAME_MAX = 2_000;

type Sizes = { sends: number };

export const belowCost = campaign<Sizes>({
  name: 'below-cost',
  promise: 'R22',
  title: 'no answer for less than it cost',
  full: { sends: 3_000 },
  small: { sends: 160 },
  run: (run) => runBelowCost(run),
});

/** @param preload a module that breaks the product on purpose */
export async function runBelowCost(
  { dialect, seed, sizes }: Run<Sizes>,
  preload?: string,
): Promise<Report> {
  const random = randomFrom(seed);
  const provider = startGreedyProvider();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => provider.stop());
  const stand = stack.use(await openStand(dialect, { catalogue: catalogueOf(provider.baseUrl) }));
  const server = await stand.start(0, { preload });
  const { url } = server;
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const log: ClientEntry[] = [];
  const client = async () => {
    while (log.length < sizes.sends) {
      const of = cases[log.length % cases.length] ?? pick(cases, random);
      const line = lineFor(of, log.length, roomId, random);
      log.push(line);
      if (of === 'beside') await sendBeside(url, token, line, random);
      else await sendOrLeave(url, token, line, isLeft(of) ? random() * LEAVE_MS : undefined);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const quiet = await becomesQuiet(url, QUIET_WITHIN_MS);
  const stored = await readStored(stand.database);
  const { messages } = stored;
  const calls = new Map(provider.calls.map((call) => [call.message, call]));
  const lines = new Map(log.map((line) => [line.message, line]));
  const broken = messages.flatMap((message) =>
    holdsFor(message, calls.get(message.request), lines.get(message.request)),
  );
  const readOn = messages.filter((one) => isReadOn(one, calls.get(one.request))).length;
  const lost = messages.reduce((sum, message) => sum + lostIn(message), 0);
  return {
    figures: {
      messages: messages.length,
      cases: Object.fromEntries(
        [...Map.groupBy(messages, ({ request }) => caseOf(request))].map(([of, all]) => [
          of,
          all.length,
        ]),
      ),
      readOn,
      lostRubles: lost / 1_000_000,
    },
    broken: [
      ...unless(quiet, 'sends were still running long after the last client had left'),
      ...linesOf({ cheap: broken, books: stored.brokenProofs }),
      ...unless(stored.holding.length === 0, 'somebody still holds something'),
      ...(await shownToOperator(server, token, messages, calls)),
      ...unless(lost > 0 && readOn > 0, 'nothing was lost, or nothing read on: nothing was tried'),
    ],
  };
}

function catalogueOf(baseUrl: string): string {
  const providers = { greedy: { baseUrl }, hurried: { baseUrl, timeoutSeconds: DEADLINE_S } };
  return catalogueFor(providers, [
    { id: TEXT, model: 'greedy-text', type: 'TEXT', provider: 'greedy' },
    { id: REASONER, model: 'o3', type: 'TEXT', provider: 'greedy' },
    { id: HURRIED, model: 'greedy-late', type: 'TEXT', provider: 'hurried' },
  ]);
}

const leftCases: readonly Case[] = ['hidden', 'summed up', 'shown', 'broken'];
const isLeft = (of: Case) => leftCases.includes(of);

function lineFor(of: Case, number: number, roomId: string, random: () => number): ClientEntry {
  const ai = isLeft(of) ? REASONER : of === 'late' ? HURRIED : TEXT;
  const isEndless = of === 'endless' || of === 'endless plain';
  const cap = isEndless
    ? between(1, 100, random)
    : of === 'lying'
      ? between(1, 200, random)
      : CAP_MAX;
  const stream = of !== 'endless plain' && of !== 'beside' && (of !== 'lying' || random() < 0.5);
  return entry({ message: `${of} ${number}`, roomId, ai, stream, cap });
}

async function sendOrLeave(
  url: string,
  token: string,
  line: ClientEntry,
  afterMs: number | undefined,
): Promise<void> {
  const leaving = new AbortController();
  const timer = afterMs === undefined ? undefined : setTimeout(() => leaving.abort(), afterMs);
  await send(url, token, line, leaving.signal);
  clearTimeout(timer);
}

/** Words outside the messages: ids of calls, stop texts, the user. */
async function sendBeside(
  url: string,
  token: string,
  { message, roomId }: ClientEntry,
  random: () => number,
): Promise<void> {
  const id = 'i'.repeat(between(1, NAME_MAX, random));
  const call = { id, type: 'function', function: { name: 'look', arguments: '{}' } };
  const body = {
    model: 'greedy-text',
    messages: [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: 'seen' },
      { role: 'user', content: message },
    ],
    max_tokens: 1,
    stop: ['s'.repeat(between(1, NAME_MAX, random))],
    user: 'u'.repeat(between(1, NAME_MAX, random)),
  };
  await post(url, token, '/v1/chat/completions', body, { 'x-room-id': roomId });
}

function isReadOn({ state }: StoredMessage, call: GreedyCall | undefined): boolean {
  return state === 'stopped' && call?.ended === 'answered';
}

/** Compares the losses with the metrics, the log and `reconcile`. */
async function shownToOperator(
  { url, logged }: ServerProcess,
  token: string,
  messages: readonly StoredMessage[],
  calls: ReadonlyMap<string, GreedyCall>,
): Promise<string[]> {
  const losses = messages.map(lostIn).filter((lost) => lost > 0);
  const lost = losses.reduce((sum, one) => sum + one, 0);
  const uncounted = messages.filter(
    ({ request, state, response }) =>
      state === 'stopped' && response !== '' && calls.get(request)?.case === 'broken',
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const sumOf = (pattern: RegExp) =>
    [...metrics.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
  const rubles = sumOf(/^zastava_undercharged_rubles_total\{.*\} (\S+)$/gm);
  const above = sumOf(/^zastava_undercharges_total\{.*"above_hold"\} (\S+)$/gm);
  const notCounted = sumOf(/^zastava_undercharges_total\{.*"not_counted"\} (\S+)$/gm);
  const warnings = logged()
    .split('\n')
    .filter((line) => line.includes('undercharged'));
  const inLog = warnings.filter((line) => line.includes('"above_hold"')).length;
  const days = messages
    .map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10))
    .sort();
  const csv = `date,model,prompt_tokens,completion_tokens\n${days[0]},greedy-text,1,1\n`;
  const wish = { csv, from: days[0], to: days.at(-1) };
  const report = await postOk(url, token, '/admin/reconcile/', wish);
  const listed = Math.round(Number(report['undercharged_rub']) * 1_000_000);
  return [
    ...unless(
      Math.round(rubles * 1_000_000) === lost,
      `${lost} lost, and ${rubles} ₽ in the metrics`,
    ),
    ...unless(
      above === losses.length,
      `${losses.length} undercharged, and ${above} in the metrics`,
    ),
    ...unless(inLog === losses.length, `${losses.length} undercharged, and ${inLog} in the log`),
    ...unless(listed === lost, `${lost} lost, and ${listed} in reconcile`),
    ...unless(
      report['undercharged'] === losses.length,
      `${losses.length} undercharged, and ${String(report['undercharged'])} in reconcile`,
    ),
    ...unless(
      notCounted >= uncounted.length,
      `${uncounted.length} streams broke uncounted, and ${notCounted} in the metrics`,
    ),
  ];
}
