/**
 * Promise R9, in part: an answer is written only after the database's flush to disk has returned. Shown on
 * the system calls of one quiet send, as strace reports them.
 */
import { join } from 'node:path';
import { campaign, unless, type Report } from '../support/campaign.ts';
import { newRoom } from '../support/client.ts';
import { entry, send } from '../support/client-log.ts';
import { openStand } from '../support/stand.ts';
import { attach, straceWorks } from '../support/strace.ts';

/** One for the hold, one for the settle. */
const FLUSHES = 2;
const CALLS = 'fsync,fdatasync,write,writev,send,sendto,sendmsg';
const PROVIDER_DELAY_MS = 20;

export const fsync = campaign({
  name: 'fsync',
  promise: 'R9',
  title: 'an answer only after the flush',
  full: {},
  small: {},
  // PostgreSQL flushes in its own processes, and answers COMMIT after that.
  dialects: ['sqlite'],
  run: () => traceOneSend(),
});

/** @param preload a deliberately broken build */
export async function traceOneSend(preload?: string): Promise<Report> {
  if (!(await straceWorks())) {
    return { figures: {}, broken: [], notPossible: 'strace is not installed, or may not trace' };
  }
  await using stand = await openStand('sqlite', { plan: () => ({ delayMs: PROVIDER_DELAY_MS }) });
  const server = await stand.start(0, { preload });
  const token = await stand.fillPurse(server.url);
  const roomId = await newRoom(server.url, token);
  const once = (message: string) => send(server.url, token, entry({ message, roomId }));
  await once('warm up');
  const output = join(stand.dataDir, 'trace.txt');
  const options = ['-s', '64', '-e', `trace=${CALLS}`, '-o', output];
  const tracing = await attach(server.pid, options);
  const { how } = await once('traced');
  await tracing.detach();
  const { before, after } = judge((await Bun.file(output).text()).split('\n'));
  return {
    figures: { flushesBeforeAnswer: before },
    broken: [
      ...unless(how === 'answered', `the send was ${how}`),
      ...unless(before >= FLUSHES, `${before} flushes before the answer`),
      ...unless(after === 0, `${after} flushes after the answer`),
    ],
  };
}

/** Flushes that returned before the answer was written, and after. */
function judge(lines: readonly string[]): { before: number; after: number } {
  const isFlush = (line: string) => /\b(fsync|fdatasync)(\(| resumed>).*= 0$/.test(line);
  const answer = lines.findIndex((line) => line.includes('"HTTP/1.1 200'));
  const flushes = lines.flatMap((line, at) => (isFlush(line) ? [at] : []));
  const before = flushes.filter((at) => at < answer).length;
  return { before, after: flushes.length - before };
}
