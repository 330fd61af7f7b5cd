/**
 * Promise R14: bad input can't crash it. Requests made of good ones with something wrong in them, over all
 * routes, and bytes that are hardly HTTP: never a 5xx, never a stack trace, never an end of the process.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { ask, loginAsAdmin } from '../support/client.ts';
import { readStored } from '../support/check/stored.ts';
import { MIB, peakMemoryOf } from '../support/process-facts.ts';
import { documentOf, nobodyThere, routesOf } from '../support/routes.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openStand } from '../support/stand.ts';
import { newEpoch, type Epoch } from './epoch.ts';
import { wrongIn } from './judge.ts';
import { exchange, rawRequest } from './raw.ts';
import { fuzzedRequest } from './requests.ts';
import { fuzzSocket } from './socket.ts';

const AT_ONCE = 32;
/** Requests of one epoch: after them, histories and lists are long. */
const EPOCH = 4_000;
/** One in so many is not HTTP that `fetch` would send. */
const RAW_EVERY = 20;
/** One in so many is a message in WebSocket mode. */
const SOCKET_EVERY = 33;
const PATIENCE_MS = 60_000;
const NOT_READY = 503;
/** Checks of one user and day, so that not everything waits for pages that do not exist. */
const TRUST_CHECKS = '20';

interface FuzzSizes extends Record<string, number> {
  requests: number;
  /** The number of the first one: a finding names its own, which repeats it alone. */
  from: number;
}

export const fuzz = campaign<FuzzSizes>({
  name: 'fuzz',
  promise: 'R14',
  title: "bad input can't crash it",
  full: { requests: 1_000_000, from: 0 },
  small: { requests: 400, from: 0 },
  run: runFuzz,
});

async function runFuzz({ dialect, seed, sizes }: Run<FuzzSizes>): Promise<Report> {
  const env = {
    ...nobodyThere,
    ZASTAVA_TRUST_DAILY_ALLOWANCE: TRUST_CHECKS,
    ZASTAVA_TRUSTED_PROXIES: '127.0.0.1',
  };
  await using stand = await openStand(dialect, { catalogue: 'models: []', env });
  const server = await stand.start();
  const token = await loginAsAdmin(server.url);
  const { key } = await ask(server.url, token, '/account/keys/', { name: 'torture' });
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  const judge = (index: number, what: string, status: number, problems: string[]) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    wrong.push(...problems.map((problem) => `request ${index}, ${what}: ${problem}`));
  };
  const end = sizes.from + sizes.requests;
  for (let start = sizes.from; start < end; start += EPOCH) {
    const epoch = await newEpoch(server.url, String(key), Math.floor(start / EPOCH));
    const until = Math.min(start + EPOCH, end);
    await runEpoch({ server, epoch, seed, start, until, judge });
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
    told: { statuses, peakMiB: Math.round((peakMemoryOf(server.pid) ?? 0) / MIB) },
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
  judge: (index: number, what: string, status: number, problems: string[]) => void;
}

async function runEpoch({ server, epoch, seed, start, until, judge }: EpochRun): Promise<void> {
  const { known, credentials } = epoch;
  const document = await documentOf((path) => fetch(server.url + path));
  const routes = routesOf(document, known);
  const port = Number(new URL(server.url).port);
  let next = start;
  const worker = async () => {
    while (next < until) {
      const index = next++;
      if (index % RAW_EVERY === 0) {
        const text = await exchange(port, rawRequest(seed, index));
        const status = worstStatusIn(text);
        judge(index, 'raw', status, wrongIn(status, '', text));
        continue;
      }
      if (index % SOCKET_EVERY === 0) {
        const asked = { url: server.url, seed, index };
        const { status, problems } = await fuzzSocket(asked, routes, credentials);
        judge(index, 'socket', status, problems);
        continue;
      }
      const { method, path, headers, body } = fuzzedRequest(seed, index, routes, credentials);
      const what = `${method} ${path.slice(0, 80)}`;
      try {
        const response = await fetch(server.url + path, {
          method,
          headers,
          body: body ?? null,
          redirect: 'manual',
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const type = response.headers.get('content-type') ?? '';
        const { status } = response;
        const problems = wrongIn(status, type, await response.text());
        judge(index, what, status, isBusy(path, status) ? [] : problems);
      } catch (error) {
        judge(index, what, 0, [`no answer: ${String(error)}`]);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** On a machine that is busy with other things the database may be late: then a server is not ready for a moment. */
function isBusy(path: string, status: number): boolean {
  return path.startsWith('/readyz') && status === NOT_READY;
}

/** Of several answers on one connection the worst; 0 when there was none. */
function worstStatusIn(text: string): number {
  const all = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return Math.max(0, ...all);
}
