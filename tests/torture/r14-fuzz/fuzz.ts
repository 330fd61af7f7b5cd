/**
 * Promise R14: bad input can't crash it. Valid requests with a fault put into them, to all routes, and bytes that are
 * hardly HTTP: never a 5xx, never a stack trace, never an end of the process.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { postOk, loginAsAdmin } from '../support/client.ts';
import { readStored } from '../support/check/stored.ts';
import { MIB, peakMemoryOf } from '../support/process-facts.ts';
import { documentOf, nobodyThere, routesOf } from '../support/routes.ts';
import { RunningTime } from '../support/running-time.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openStand } from '../support/stand.ts';
import { answerTo, type Judged, type Patient } from './answer.ts';
import { newEpoch, type Epoch } from './epoch.ts';
import { wrongIn } from './judge.ts';
import { exchange, rawRequest } from './raw.ts';
import { fuzzedRequest } from './requests.ts';
import { fuzzSocket } from './socket.ts';
import { startUpstreams } from './upstreams.ts';

const AT_ONCE = 32;
/** Requests of one epoch; more would make histories and lists long. */
const EPOCH = 4_000;
/** One request in this many is not HTTP that `fetch` would send. */
const RAW_EVERY = 20;
/** One request in this many is a message in WebSocket mode. */
const SOCKET_EVERY = 33;
/** Checks of one user and day: few, so that not everything waits for pages that do not exist. */
const TRUST_CHECKS = '20';

interface FuzzSizes extends Record<string, number> {
  requests: number;
  /** The number of the first request. A finding names its own number, with which it can be repeated alone. */
  from: number;
  /** How long the campaign continues before it reports a request without an answer. */
  patienceMs: number;
}

export const fuzz = campaign<FuzzSizes>({
  name: 'fuzz',
  promise: 'R14',
  title: "bad input can't crash it",
  full: { requests: 1_000_000, from: 0, patienceMs: 60_000 },
  small: { requests: 400, from: 0, patienceMs: 60_000 },
  run: runFuzz,
});

/** @param preload a module that breaks the product */
export async function runFuzz(
  { dialect, seed, sizes }: Run<FuzzSizes>,
  preload?: string,
): Promise<Report> {
  const env = {
    ...nobodyThere,
    ZASTAVA_TRUST_DAILY_ALLOWANCE: TRUST_CHECKS,
    ZASTAVA_TRUSTED_PROXIES: '127.0.0.1',
  };
  await using upstreams = await startUpstreams();
  await using stand = await openStand(dialect, { catalogue: upstreams.catalogue, env });
  const server = await stand.start(0, { preload });
  using time = new RunningTime();
  const token = await loginAsAdmin(server.url);
  const { key } = await postOk(server.url, token, '/account/keys/', { name: 'torture' });
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  const judge = (index: number, what: string, { status, problems }: Judged) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    wrong.push(...problems.map((problem) => `request ${index}, ${what}: ${problem}`));
  };
  const patient = { time, patienceMs: sizes.patienceMs };
  const end = sizes.from + sizes.requests;
  for (let start = sizes.from; start < end; start += EPOCH) {
    upstreams.forget();
    const number = Math.floor(start / EPOCH);
    const { catalogue } = upstreams;
    const turn = seed + number;
    const epoch = await newEpoch(server.url, String(key), { number, turn, catalogue });
    const until = Math.min(start + EPOCH, end);
    await runEpoch({ server, epoch, seed, start, until, patient, judge });
  }
  const { holding, brokenProofs } = await readStored(stand.database);
  const alive = await fetch(`${server.url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
  const failed = server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"msg":"request failed"'));
  return {
    figures: {
      statuses,
      peakMiB: Math.round((peakMemoryOf(server.pid) ?? 0) / MIB),
      stoppedSeconds: Math.round(time.stoppedMs / 1_000),
    },
    broken: [
      ...linesOf({ wrong, brokenProofs, logged: failed.map((line) => line.slice(0, 500)) }),
      ...unless(alive, `the process is gone or not ready: ${server.logged().slice(-500)}`),
      ...unless(holding.length === 0, `users ${holding.join(', ')} still hold`),
    ],
  };
}

interface EpochRun {
  server: ServerProcess;
  epoch: Epoch;
  seed: number;
  start: number;
  until: number;
  patient: Patient;
  judge: (index: number, what: string, judged: Judged) => void;
}

async function runEpoch({
  server,
  epoch,
  seed,
  patient,
  judge,
  ...range
}: EpochRun): Promise<void> {
  const { known, credentials } = epoch;
  const document = await documentOf((path) => fetch(server.url + path));
  const routes = routesOf(document, known);
  const port = Number(new URL(server.url).port);
  let next = range.start;
  const worker = async () => {
    while (next < range.until) {
      const index = next++;
      if (index % RAW_EVERY === 0) {
        const text = await exchange(port, rawRequest(seed, index));
        const status = worstStatusIn(text);
        judge(index, 'raw', { status, problems: wrongIn(status, '', text) });
        continue;
      }
      if (index % SOCKET_EVERY === 0) {
        const job = { url: server.url, seed, index };
        judge(index, 'socket', await fuzzSocket(job, routes, credentials, patient));
        continue;
      }
      const request = fuzzedRequest(seed, index, routes, credentials);
      const what = `${request.method} ${request.path.slice(0, 80)}`;
      judge(index, what, await answerTo(server.url, request, patient));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The worst of several answers on one connection; 0 without an answer. */
function worstStatusIn(text: string): number {
  const all = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return Math.max(0, ...all);
}
