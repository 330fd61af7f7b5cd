import type { Command } from 'commander';
import { fromUnixSeconds } from '../lib/clock.ts';
import { askJobs, type TrustJobView } from '../trust/index.ts';
import { commandAct, define, onCore, type CliContext } from './context.ts';
import { time } from './format.ts';
import { table, type Column } from './table.ts';

const moment = (seconds: number | null): string => time(fromUnixSeconds(seconds));

const columns: readonly Column<TrustJobView>[] = [
  ['ID', ({ id }) => id],
  ['WORK', ({ work }) => work],
  ['RELEASE', ({ release }) => release ?? '-'],
  ['STATE', ({ state }) => state],
  ['ASKED BY', (job) => job.asked_by],
  ['STARTED', (job) => moment(job.started_at)],
  ['ENDED', (job) => moment(job.ended_at)],
  ['PROGRESS OR ERROR', (job) => job.error?.message ?? progressOf(job)],
];

/** Jobs that were asked for over HTTP or on the page; a command's own work ends with Ctrl-C. */
export function trustJobs(trust: Command, context: CliContext): void {
  define(trust, 'jobs', 'list the jobs of the server, the newest first', [
    'zastava trust jobs',
    'zastava trust jobs --json',
  ])
    .addHelpText(
      'after',
      '\nJobs are asked for over HTTP or on the page. The server must run with this data directory.',
    )
    .action(
      onCore(context, async ({ config }) => {
        const jobs = await askJobs(config.dataDir, {});
        return [jobs, jobs.length > 0 ? table(columns, jobs) : 'no jobs since the server started'];
      }),
    );
  define(trust, 'stop', 'stop a job of the server, also one that waits', [
    'zastava trust stop 5f0c1b7a9d3e2468',
  ])
    .argument('<id>', 'as jobs shows it')
    .addHelpText('after', '\nThe same import or crawl, started again, continues where it was.')
    .action(
      onCore(context, async (core, id: string) => {
        const [job] = await askJobs(core.config.dataDir, { stop: id });
        const after = job && { work: job.work, state: job.state };
        await commandAct(core, 'trust_job_stopped').recordAlone({ subject: id, after });
        return [job, `${job?.work} ${id}: ${job?.state}`];
      }),
    );
}

function progressOf({ progress }: TrustJobView): string {
  if (!progress) return '-';
  const { step, done, total } = progress;
  if (done === null) return step;
  return `${step}: ${done.toLocaleString('en')}${total === null ? '' : ` of ${total.toLocaleString('en')}`}`;
}
