/**
 * Promise R8: the charge of a send whose client disconnects follows the rule. A plain or detached send runs to its end
 * and is charged. Any other stream stops the provider within a second, and the delivered part is kept, marked, and
 * charged by an estimate.
 */
import { campaign, linesOf, nodesOn, unless, type Report, type Run } from '../support/campaign.ts';
import { dueFor, modelsOfAllWays } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { readStored, type StoredMessage } from '../support/check/stored.ts';
import { newRoom } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { usageFor, type ProviderCall } from '../support/journal-provider.ts';
import { becomesQuiet } from '../support/quiet.ts';
import { pick, randomFrom } from '../support/random.ts';
import { limitedKey } from '../support/limited-key.ts';
import { openStand } from '../support/stand.ts';
import { streamingWays, wayNames } from '../support/ways.ts';

const CLIENTS = 25;
/** How long an answer takes, plain or streamed. */
const ANSWER_MS = 150;
const PIECES = 10;
/** A client leaves between the first moment and a little after the end. */
const LEAVE_MS = 200;
const STREAMS = 0.75;
/** The share of the sends, streamed or not, that continue without their clients. */
const DETACHED = 0.2;
/** Interfaces that send; null is `/ai/send/`. */
const plains = [null, ...wayNames];
const streams = [null, ...streamingWays];
/** The share of streamed responses that are in WebSocket mode. */
const SOCKETS = 0.5;
/** Of these, the share of background responses. */
const BACKGROUND = 0.5;
const STOPPED_WITHIN_MS = 1_000;
/**
 * Streams that are left while the gateway connects to the provider: nobody can tell whether the request arrived. A few,
 * or a share, as connecting takes longer on a busy machine.
 */
const UNCALLED_MAX = { few: 3, share: 0.01, busyShare: 0.25 };
/** A machine that is busy with other things may take this long. */
const QUIET_WITHIN_MS = 120_000;

interface HangUpSizes extends Record<string, number> {
  aborts: number;
  /** On PostgreSQL; SQLite has one. */
  nodes: number;
}

export const hangUp = campaign<HangUpSizes>({
  name: 'hang-up',
  promise: 'R8',
  title: 'hang-ups are billed by the rule',
  full: { aborts: 1_000, nodes: 3 },
  small: { aborts: 60, nodes: 1 },
  run: runHangUp,
});

interface HungUp {
  line: ClientEntry;
  leftAt: number;
}

async function runHangUp(run: Run<HangUpSizes>): Promise<Report> {
  const { dialect, seed, sizes, judgeTime } = run;
  const random = randomFrom(seed);
  const plan = (message: string) =>
    !message.startsWith('plain')
      ? { pieces: PIECES, pieceMs: ANSWER_MS / PIECES }
      : { delayMs: ANSWER_MS };
  await using stand = await openStand(dialect, { plan, models: modelsOfAllWays });
  const { provider, database } = stand;
  const { url } = await stand.start();
  const urls = [url];
  const nodes = nodesOn(dialect, sizes.nodes);
  while (urls.length < nodes) urls.push((await stand.start(urls.length)).url);
  // The checks of the books compare the counters of its key with the charges.
  const { key: token } = await limitedKey(url, await stand.fillPurse(url));
  const roomId = await newRoom(url, token);
  const all: HungUp[] = [];
  // One whole answer shows a node that a model has no hidden reasoning. Otherwise its left streams would be read to
  // their end.
  for (const [node, of] of urls.entries()) {
    for (const way of [undefined, 'completion'] as const) {
      const message = `plain, in whole, ${way ?? 'room'}, node ${node}`;
      const first = entry({ message, roomId, key: message, way });
      await send(of, token, first);
      all.push({ line: first, leftAt: 0 });
    }
  }
  const client = async () => {
    while (provider.calls.length < sizes.aborts) {
      const stream = random() < STREAMS;
      const detached = random() < DETACHED;
      const kind = detached ? 'detached' : stream ? 'stream' : 'plain';
      const message = `${kind} ${all.length}`;
      // A send that runs to its end has a key, so that its answer can be requested again.
      const key = kind === 'stream' ? undefined : message;
      const line = entry({ message, roomId, key, ...howToSend({ stream, detached }, random) });
      const of = { line, leftAt: 0 };
      all.push(of);
      await hangUpOn(pick(urls, random), token, of, random() * LEAVE_MS);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const quiet = await Promise.all(urls.map((one) => becomesQuiet(one, QUIET_WITHIN_MS)));
  // Mostly through another node than before.
  await repeatKeyed(urls.at(-1) ?? url, token, all);
  const log = all.map(({ line }) => line);
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const { messages } = await readStored(database);
  const called = new Set(provider.calls.map(({ message }) => message));
  const slowest = Math.max(...stopTimes(all, provider.calls));
  const uncalled = messages.filter(({ request, charged }) => charged > 0 && !called.has(request));
  const uncalledShare = judgeTime ? UNCALLED_MAX.share : UNCALLED_MAX.busyShare;
  const states = Map.groupBy(messages, ({ state }) => state);
  return {
    figures: {
      ...compared,
      states: Object.fromEntries([...states].map(([state, of]) => [state, of.length])),
      slowestStopMs: Math.round(slowest),
      chargedUncalled: uncalled.length,
    },
    broken: [
      ...unless(
        !quiet.includes(false),
        'sends were still running long after the last client had left',
      ),
      ...linesOf({ ...findings, unruly: messages.flatMap((one) => unrulyIn(one, called)) }),
      ...unless(
        !judgeTime || slowest <= STOPPED_WITHIN_MS,
        `a provider was stopped ${Math.round(slowest)} ms late`,
      ),
      ...unless(
        uncalled.length <= Math.max(UNCALLED_MAX.few, messages.length * uncalledShare),
        `${uncalled.length} requests were charged that the provider never had`,
      ),
      ...unless(
        (states.get('stopped')?.length ?? 0) > 0,
        'no stream was stopped: nothing was tried',
      ),
    ],
  };
}

/** An interface for a stream, for a whole answer, or for a send that continues without its client. */
function howToSend(
  { stream, detached }: { stream: boolean; detached: boolean },
  random: () => number,
): Omit<ClientEntry, 'message' | 'roomId' | 'seen'> {
  if (detached) {
    return random() < BACKGROUND ? { way: 'response', background: true } : { detached, stream };
  }
  const way = pick(stream ? streams : plains, random) ?? undefined;
  return { way, stream, socket: way === 'response' && stream && random() < SOCKETS };
}

async function hangUpOn(url: string, token: string, of: HungUp, afterMs: number): Promise<void> {
  const leaving = new AbortController();
  const timer = setTimeout(() => {
    of.leftAt = performance.now();
    leaving.abort();
  }, afterMs);
  await send(url, token, of.line, leaving.signal);
  clearTimeout(timer);
}

/** A client that left such a send gets its answer, once, when it repeats the request under the key. */
async function repeatKeyed(url: string, token: string, all: readonly HungUp[]): Promise<void> {
  for (const { line } of all) if (line.key !== undefined) await send(url, token, line);
}

/** From the moment when the client of a stream left to the moment when its provider noticed. */
function stopTimes(all: readonly HungUp[], calls: readonly ProviderCall[]): number[] {
  const left = new Map(all.map(({ line, leftAt }) => [line.message, leftAt]));
  return calls
    .filter(({ kind, ended }) => kind === 'stream' && ended !== 'answered')
    .map(({ message, ended, endedAt }) =>
      ended === 'running' ? Number.POSITIVE_INFINITY : endedAt - (left.get(message) ?? 0),
    );
}

/** The violations of the rule for clients that disconnect, besides the rules for any send. */
function unrulyIn(message: StoredMessage, called: ReadonlySet<string>): string[] {
  const { request, state, response, usageSource, promptTokens, completionTokens } = message;
  if (!request.startsWith('stream')) {
    return unless(state === 'done', `${request}: a send that goes on ended as ${state}`);
  }
  if (state !== 'stopped') return unless(state === 'done', `${request}: ended as ${state}`);
  if (!called.has(request) && message.charged === 0) return [];
  const due = dueFor('TEXT', { prompt: promptTokens ?? 0, completion: completionTokens ?? 0 });
  // Without a delivered word there is no answer, and nothing is charged for one.
  const forAnswer = response === '' ? 0 : due.response;
  const most = usageFor(request).completion;
  return [
    ...unless(usageSource === 'estimated', `${request}: its usage is not marked as an estimate`),
    ...unless(
      message.costRequest === due.request && message.costResponse === forAnswer,
      `${request}: costs ${message.costRequest} + ${message.costResponse}, due ${due.request} + ${forAnswer}`,
    ),
    ...unless((completionTokens ?? 0) <= most * 2, `${request}: ${completionTokens} tokens`),
  ];
}
