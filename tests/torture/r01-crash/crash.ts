/**
 * Promise R1: a crash neither loses nor doubles a charge. The server is killed again and again in the middle of sends;
 * after each restart the database, the provider's journal and the clients' logs must agree.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { loginAsAdmin, newRoom } from '../support/client.ts';
import { send, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';

/** How long a server runs before it is killed: from the middle of its first sends to many of them. */
const LIFE_MS = { least: 150, most: 700 };
const PROVIDER_DELAY_MS = 40;
const FIRST_ANSWER_MS_MAX = 60_000;
/** From the start of a process to its readiness, also after a crash. */
const READY_MS_MAX = 2_000;

interface CrashSizes extends Record<string, number> {
  kills: number;
  /** Concurrent sends. */
  inFlight: number;
}

export const crash = campaign<CrashSizes>({
  name: 'crash',
  promise: 'R1',
  title: 'a crash loses or doubles no charge',
  full: { kills: 200, inFlight: 50 },
  small: { kills: 2, inFlight: 50 },
  run: (run) => runCrash(run),
});

/** @param preload a deliberately broken build, used in all lives but the last */
export async function runCrash(
  { dialect, seed, sizes, judgeTime }: Run<CrashSizes>,
  preload?: string,
): Promise<Report> {
  const random = randomFrom(seed);
  await using stand = await openStand(dialect, {
    plan: () => ({ delayMs: random() * PROVIDER_DELAY_MS }),
  });
  const log: ClientEntry[] = [];
  let slowestRestartMs = 0;
  for (let kill = 0; kill < sizes.kills; kill++) {
    const server = await stand.start(0, { preload });
    slowestRestartMs = Math.max(slowestRestartMs, server.readyMs);
    const { url } = server;
    const token = kill === 0 ? await stand.fillPurse(url) : await loginAsAdmin(url);
    const roomId = await newRoom(url, token);
    const stopLoad = startLoad({
      url: () => url,
      token,
      roomId,
      clients: sizes.inFlight,
      log,
      random,
      name: `life ${kill}`,
      afterFailure: () => Promise.resolve(),
    });
    await Bun.sleep(LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least));
    // Even if no send was answered yet on a busy machine: otherwise nothing would be tested.
    await becomesTrue(() => log.some(({ seen }) => seen.how === 'answered'), FIRST_ANSWER_MS_MAX);
    const stopped = stopLoad();
    await server.kill();
    await stopped;
  }
  const last = await stand.start(0);
  slowestRestartMs = Math.max(slowestRestartMs, last.readyMs);
  await repeatUnknown(last.url, log);
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: true,
  });
  await last.stop();
  return {
    figures: {
      kills: sizes.kills,
      sends: log.length,
      ...compared,
      slowestRestartMs: Math.round(slowestRestartMs),
    },
    broken: [
      ...linesOf(findings),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
      ...unless(
        !judgeTime || slowestRestartMs <= READY_MS_MAX,
        `a restart took ${Math.round(slowestRestartMs)} ms`,
      ),
    ],
  };
}

/** After a crash, a careful client repeats unanswered requests under the same keys. */
async function repeatUnknown(url: string, log: ClientEntry[]): Promise<void> {
  const token = await loginAsAdmin(url);
  const unknown = log.filter(({ seen, key }) => seen.how === 'unknown' && key !== undefined);
  for (const line of unknown) await send(url, token, line);
}
