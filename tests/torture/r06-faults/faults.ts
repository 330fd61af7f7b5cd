/**
 * Promise R6: every fault of a provider has a known end: the right code within its deadline and a second, the hold
 * released, nothing of the provider shown to the client, nothing left open.
 */
import { ScriptedProvider, type CallFault } from '../../support/scripted-provider.ts';
import { CANARY_KEY } from '../support/catalogue.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { connectionsTo, MIB, peakMemoryOf } from '../support/process-facts.ts';
import { randomFrom, shuffled } from '../support/random.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';
import { faultCases, faultCatalogue, faultOf, type FaultCase } from './cases.ts';
import { journalOf } from './journal.ts';

/** Concurrent cases of a round. */
const AT_ONCE = 100;
/** After the provider's deadline. */
const GRACE_MS = 1_000;
/** While eight bodies of 100 MiB arrive at once, of which up to 64 MiB are read. */
const MEMORY_MAX = 768 * MIB;
/** The provider closes an idle connection after five seconds. */
const CLOSED_WITHIN_MS = 15_000;

export const faults = campaign({
  name: 'faults',
  promise: 'R6',
  title: 'every provider fault ends known',
  // Rounds: in the first the cases run one after the other, in the next many at once. More rounds would open circuit
  // breakers.
  full: { rounds: 2 },
  // tests/chat/money-faults.test.ts is its small size.
  small: undefined,
  run: runFaults,
});

interface Ended {
  of: FaultCase;
  line: ClientEntry;
  ms: number;
}

async function runFaults(run: Run<{ rounds: number }>): Promise<Report> {
  const { dialect, seed, sizes, judgeTime } = run;
  const random = randomFrom(seed);
  await using scripted = await ScriptedProvider.start();
  await scripted.script(({ body }) => faultOf(body['model']) as CallFault);
  const catalogue = faultCatalogue(scripted.baseUrl);
  await using stand = await openStand(dialect, { catalogue });
  const server = await stand.start();
  const token = await stand.fillPurse(server.url);
  const roomId = await newRoom(server.url, token);
  const ended: Ended[] = [];
  const one = async (of: FaultCase, round: number) => {
    const { fault, name, ai, way, socket, stream, detached, background } = of;
    const message = `${fault}, ${name}, round ${round}`;
    const line = entry({ message, roomId, ai, stream, way, socket, detached, background });
    const start = performance.now();
    await send(server.url, token, line);
    ended.push({ of, line, ms: performance.now() - start });
  };
  for (let round = 0; round < sizes.rounds; round++) {
    const cases = shuffled(faultCases, random);
    const atOnce = round % 2 === 1 ? AT_ONCE : 1;
    for (let at = 0; at < cases.length; at += atOnce) {
      await Promise.all(cases.slice(at, at + atOnce).map((of) => one(of, round)));
    }
  }
  const { host, port } = new URL(scripted.baseUrl);
  const open = () => connectionsTo(Number(port)) ?? 0;
  const closed = await becomesTrue(() => open() === 0, CLOSED_WITHIN_MS);
  const peak = peakMemoryOf(server.pid) ?? 0;
  const log = ended.map(({ line }) => line);
  const { findings, compared } = await checkBooks({
    database: stand.database,
    calls: journalOf(scripted.calls),
    log,
    died: false,
  });
  const slowest = Math.max(...ended.map(({ of, ms }) => ms - of.deadlineMs));
  const secrets = [CANARY_KEY, host, 'scripted failure'];
  return {
    figures: {
      cases: ended.length,
      ...compared,
      slowestOverDeadlineMs: Math.round(slowest),
      peakMiB: Math.round(peak / MIB),
    },
    broken: [
      ...linesOf(findings),
      ...linesOf({ wrong: ended.flatMap(wrongIn), late: judgeTime ? ended.flatMap(lateIn) : [] }),
      ...ended.flatMap(({ line, of }) =>
        // The caller may read the provider's words about the request.
        (of.code === 'invalid_request' ? secrets.slice(0, 2) : secrets)
          .filter((secret) => JSON.stringify(line.seen).includes(secret))
          .map((secret) => `${line.message}: shows ${secret}`),
      ),
      ...unless(!server.logged().includes(CANARY_KEY), 'the key is in the log'),
      ...unless(closed, `${open()} connections to the provider are open`),
      ...unless(!judgeTime || peak <= MEMORY_MAX, `${Math.round(peak / MIB)} MiB of memory`),
    ],
  };
}

function wrongIn({ of: { code }, line: { message, seen } }: Ended): string[] {
  const got = seen.how === 'refused' ? seen.code : seen.how.replace('abridged', 'answered');
  return unless(
    got === (code ?? 'answered'),
    `${message}: ${got} instead of ${code ?? 'an answer'}`,
  );
}

function lateIn({ of: { deadlineMs }, line: { message }, ms }: Ended): string[] {
  return unless(ms <= deadlineMs + GRACE_MS, `${message}: ended after ${Math.round(ms)} ms`);
}
