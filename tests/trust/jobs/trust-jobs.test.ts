/** The stored state and the log of a server's jobs, and how stopped jobs end. */
import { expect, test } from 'bun:test';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog, type Log } from '../../../src/lib/log.ts';
import { TrustJobs } from '../../../src/trust/index.ts';
import { movableClock } from '../../support/clock.ts';
import { recordingLog, type LogLine } from '../../users/world.ts';

/** Jobs that run a shell script in place of this program. */
function jobsOf(script: string, log: Log = silentLog): TrustJobs {
  return new TrustJobs({ program: ['/bin/sh', '-c', script], env: {}, clock: systemClock, log });
}

const SAYS_READY = `echo '{"warning":"ready"}' >&2`;

async function untilReady(jobs: TrustJobs): Promise<void> {
  while (jobs.list()[0]?.warnings.length === 0) await Bun.sleep(5);
}

test('a job that finished while it was being stopped is done, except a crawl', async () => {
  const use = { kind: 'use', release: 'r' } as const;
  const crawl = { kind: 'crawl', domains: [], pages: undefined } as const;
  for (const [work, state] of [
    [use, 'done'],
    [crawl, 'stopped'],
  ] as const) {
    const jobs = jobsOf(
      `trap 'echo "{}"; exit 0' TERM; ${SAYS_READY}; while :; do sleep 0.1; done`,
    );
    const { id } = jobs.start(work, 'admin');
    await untilReady(jobs);
    expect(await jobs.stop(id)).toMatchObject({ state, result: {} });
  }
});

test('the domains of a crawl are dropped when it ends', async () => {
  const jobs = jobsOf('cat');
  const crawl = { kind: 'crawl', domains: ['a.ru'], pages: 1 } as const;
  jobs.start(crawl, 'admin');
  jobs.start(crawl, 'admin');
  await jobs.close();
  const works = jobs.list().map(({ work, state }) => ({ ...work, state }));
  const ended = { ...crawl, domains: [], state: 'stopped' as const };
  expect(works).toEqual([ended, ended]);
});

test('the log contains no secrets from addresses', async () => {
  const logged = Promise.withResolvers<object>();
  const started = Promise.withResolvers<object>();
  const log = { info: started.resolve, warn: logged.resolve } as unknown as Log;
  const address = 'https://me:word@files.example:81/v.gz?signature=deed#x';
  const error = { code: 'not_found', message: `${address} answered 404: try again` };
  const jobs = jobsOf(`echo '${JSON.stringify({ error })}' >&2; exit 1`, log);
  const { id } = jobs.start(
    {
      kind: 'import',
      vertices: address,
      edges: address,
      release: 'r',
      suffixes: undefined,
      foldHosts: undefined,
      memoryMiB: undefined,
    },
    'admin',
  );
  const bare = 'https://files.example:81/v.gz';
  expect(await started.promise).toMatchObject({ job: id, release: 'r', from: [bare, bare] });
  expect(await logged.promise).toMatchObject({
    job: id,
    state: 'failed',
    code: 'not_found',
    message: 'https://files.example:81/v.gz answered 404: try again',
  });
  expect(jobs.list()[0]?.error).toEqual(error);
});

test('a job that hangs is in the log from its start, and its time is known', async () => {
  const lines: LogLine[] = [];
  const clock = movableClock();
  const script = `trap 'exit 0' TERM; ${SAYS_READY}; while :; do sleep 0.1; done`;
  const program: [string, ...string[]] = ['/bin/sh', '-c', script];
  const jobs = new TrustJobs({ program, env: {}, clock, log: recordingLog(lines) });
  expect(jobs.runningSeconds).toBe(0);
  const { id } = jobs.start({ kind: 'use', release: 'r' }, 'olga');
  await untilReady(jobs);
  expect(lines).toMatchObject([{ msg: 'trust job started', job: id, work: 'use', by: 'olga' }]);
  clock.forward(3_600_000);
  expect(jobs.runningSeconds).toBeGreaterThanOrEqual(3_600);
  await jobs.stop(id);
  expect(jobs.runningSeconds).toBe(0);
  expect(lines[1]).toMatchObject({ msg: 'trust job ended', job: id });
});
