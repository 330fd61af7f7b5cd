/**
 * The load generator, as a separate process: keeps one request in flight on each connection and times every answer.
 * Reads a LoadPlan as JSON from standard input, prints a LoadResult.
 */
import { MessageReader } from './http-messages.ts';

export interface LoadPlan {
  host: string;
  port: number;
  /** For each connection, the complete texts of the requests that it sends in turn, over and over. */
  requests: string[][];
  warmUpMs: number;
  /** Ends after this time, or after `count` answers, whichever comes first. */
  measureMs: number;
  count: number;
  /** The rate of all connections together; null: as fast as they are answered. */
  perSecond: number | null;
  /**
   * At a fixed rate, however long the answers take: a send that waits for its connection is timed from the moment when
   * it was due. The generator's own timers do not count.
   */
  isOpen: boolean;
}

export interface LoadResult {
  answers: number;
  seconds: number;
  /** Includes answers in the warm-up and those in flight at the end. */
  answersInAll: number;
  /** The status of the first answer other than 200; the run ends with it. */
  failure: string | null;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** At `percentiles`, in ms. */
  atPercentiles: number[];
  /** From the mock's first delta to its arrival, of streams; 0 without any. */
  firstDeltaP50Ms: number;
  firstDeltaP99Ms: number;
}

/** The percentiles of latencies for a plot; the last is the slowest. */
export const percentiles = [0, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 100];
const LATENCIES_MAX = 4_000_000;
/** `@`: the mock puts its clock between two of them. */
const STAMP = 0x40;
const STAMP_MAX_BYTES = 32;

if (import.meta.main) {
  const plan = (await Bun.stdin.json()) as LoadPlan;
  console.log(JSON.stringify(await run(plan)));
  process.exit(0);
}

async function run({ host, port, requests, perSecond, isOpen, ...times }: LoadPlan) {
  const { warmUpMs, measureMs, count } = times;
  const gapMs = perSecond === null ? 0 : (1000 * requests.length) / perSecond;
  const latencies = new Float64Array(Math.min(count, LATENCIES_MAX));
  const firstDeltas: number[] = [];
  const finished = Promise.withResolvers<void>();
  let [answers, answersInAll, start, end] = [0, 0, 0, 0];
  let failure: string | null = null;
  let state: 'warming up' | 'measuring' | 'done' = 'warming up';
  const finish = (): void => {
    if (state === 'done') return;
    end = performance.now();
    state = 'done';
    finished.resolve();
  };

  const connect = (texts: string[]) => {
    const turns = texts.map((text) => Buffer.from(text));
    let [turn, sentAt] = [0, 0];
    // Spread over the first interval, so that the connections do not send in step.
    let due = performance.now() + Math.random() * gapMs;
    return Bun.connect<MessageReader>({
      hostname: host,
      port,
      socket: {
        open(socket) {
          socket.setNoDelay(true);
          const send = (countedFrom = performance.now()): void => {
            const request = turns[turn++ % turns.length] ?? Buffer.alloc(0);
            sentAt = countedFrom;
            if (socket.write(request) !== request.length)
              throw new Error('the request did not fit');
          };
          socket.data = new MessageReader((head, body) => {
            answersInAll++;
            if (!head.startsWith('HTTP/1.1 200')) {
              failure ??= `${head.split('\r\n', 1)[0]} ${body.toString()}`;
              return finish();
            }
            if (state === 'measuring') {
              latencies[answers++] = performance.now() - sentAt;
              if (answers >= latencies.length) finish();
            }
            if (state !== 'done') sendInTime();
          });
          const sendInTime = (): void => {
            if (gapMs === 0) return send();
            due = isOpen ? due + gapMs : Math.max(due + gapMs, performance.now());
            const waitMs = due - performance.now();
            if (isOpen && waitMs <= 0) return send(due);
            setTimeout(
              () => {
                if (state !== 'done') send();
              },
              Math.max(0, waitMs),
            );
          };
          sendInTime();
        },
        data(socket, bytes) {
          const age = state === 'measuring' ? ageOfStamp(bytes) : undefined;
          if (age !== undefined) firstDeltas.push(age);
          socket.data.push(bytes);
        },
        close() {
          if (state === 'done') return;
          failure ??= 'the connection was closed';
          finish();
        },
      },
    });
  };

  const sockets = await Promise.all(requests.map(connect));
  const measure = (): void => {
    if (state !== 'warming up') return;
    state = 'measuring';
    start = performance.now();
    setTimeout(finish, measureMs);
  };
  if (warmUpMs === 0) measure();
  else setTimeout(measure, warmUpMs);
  await finished.promise;
  // Running answers belong to the count that is compared with the provider's.
  await Bun.sleep(failure === null ? 300 : 0);
  for (const socket of sockets) socket.end();
  const quantile = quantilesOf(latencies.subarray(0, answers));
  const firstDelta = quantilesOf(Float64Array.from(firstDeltas));
  const result: LoadResult = {
    answers,
    answersInAll,
    failure,
    seconds: (end - start) / 1000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
    atPercentiles: percentiles.map((percent) => quantile(percent / 100)),
    firstDeltaP50Ms: firstDelta(0.5),
    firstDeltaP99Ms: firstDelta(0.99),
  };
  return result;
}

function quantilesOf(values: Float64Array): (share: number) => number {
  const sorted = values.sort();
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds since the mock wrote the first delta in these bytes; undefined if they contain none. */
function ageOfStamp(bytes: Buffer): number | undefined {
  const start = bytes.indexOf(STAMP);
  if (start < 0) return undefined;
  const stamp = /^@([\d.]+)@/.exec(bytes.toString('latin1', start, start + STAMP_MAX_BYTES))?.[1];
  const now = performance.timeOrigin + performance.now();
  return stamp === undefined ? undefined : now - Number(stamp);
}
