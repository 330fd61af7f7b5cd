import { z } from 'zod';
import type { Translate } from '../../lib/sentences.ts';
import {
  jobStates,
  parseCrawlSeeds,
  releaseNamePattern,
  suffixReadings,
  type TrustJob,
  type TrustJobBook,
  trustJobView,
  type TrustJobView,
  type TrustWork,
  trustWorkKinds,
} from '../../trust/index.ts';
import { refusalsFor } from '../languages.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation, type ActCall } from '../operation.ts';
import { emptyBody, intOrNull, named, textOrNull, unixSeconds, withoutNulls } from '../schemas.ts';
import { badDomains, badView, domainLines, DOMAINS_BODY_MAX_BYTES } from './trust-seeds.ts';

export const trustJob = named('TrustJob', {
  id: z.string(),
  work: z.enum(trustWorkKinds),
  release: textOrNull.describe('The release in the request.'),
  state: z
    .enum(jobStates)
    .describe('`waiting` until earlier jobs have ended. The last three are final.'),
  asked_by: z.string().describe('Login.'),
  asked_at: unixSeconds,
  started_at: unixSeconds.nullable(),
  ended_at: unixSeconds.nullable(),
  progress: z
    .object({
      step: z.string(),
      done: intOrNull.describe('Items of this step; null: not counted.'),
      total: intOrNull.describe('null: not known.'),
    })
    .nullable()
    .describe('The current or last step.'),
  warnings: z.array(z.string()),
  result: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The output of the same command with `--json`.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why it failed.'),
});

const address = (of: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .describe(`Address of a text file, may be gzipped, with lines of ${of}.`);
export const releaseName = z
  .string()
  .regex(releaseNamePattern, 'must be 1 to 64 letters, digits, ".", "_" and "-"');
/** See `SuffixReading`. */
export const suffixes = z.enum(suffixReadings);
const suffixesGiven = suffixes
  .nullish()
  .describe(
    'The public suffixes that its names were made with: `icann`, or `private` for both sections. Absent: recognised.',
  );
const wholeNumber = z.int().min(1).nullish();
const memory = wholeNumber.describe('MiB of memory; absent: the default of the command.');

const result = z.object({ job: trustJob });

export const trustWorkOperations = ({ trustJobs }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/import/',
    act: 'trust_job_started',
    summary: 'Import a domain graph',
    description:
      'Starts a job, like `zastava trust import`. Only the command can import local files. Private addresses are reached only if `ZASTAVA_FETCH_ALLOW` has them.',
    body: z.object({
      vertices: address('id TAB reversed.domain'),
      edges: address('from TAB to'),
      release: releaseName.nullish().describe('Absent: named after the file.'),
      suffixes: suffixesGiven,
      fold_hosts: z
        .boolean()
        .nullish()
        .describe('true: folds the hosts of a host graph to their domains; else it is refused.'),
      memory_mib: memory,
    }),
    example: {
      vertices: 'https://example.com/vertices.txt.gz',
      edges: 'https://example.com/edges.txt.gz',
      release: 'example',
    },
    result,
    errors: ['rate_limited'],
    handle: (body, call) => {
      const { fold_hosts: foldHosts, memory_mib: memoryMiB, ...names } = withoutNulls(body);
      return startJob(trustJobs, { kind: 'import', ...names, foldHosts, memoryMiB }, call);
    },
  }),

  adminOperation({
    path: '/admin/trust/crawl/',
    act: 'trust_job_started',
    summary: 'Crawl sites, and store their links',
    description: 'Starts a job, like `zastava trust crawl`.',
    bodyMaxBytes: DOMAINS_BODY_MAX_BYTES,
    body: z.object({
      domains: domainLines
        .nullish()
        .describe('Domains or addresses to start with; absent: the queue.'),
      pages: wholeNumber.describe('Pages to read; absent: the default of the command.'),
    }),
    example: { domains: ['example.com'], pages: 10 },
    result: result.extend(badDomains),
    errors: ['rate_limited'],
    handle: async ({ domains: given, pages }, call) => {
      const { domains, ...bad } =
        given && given.length > 0
          ? parseCrawlSeeds(given.join('\n'))
          : { domains: [], bad: [], badCount: 0 };
      const work = { kind: 'crawl', domains, pages: pages ?? undefined } as const;
      return { ...(await startJob(trustJobs, work, call)), ...badView(bad) };
    },
  }),
];

export const trustRankOperations = ({ trustJobs }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/rank/',
    act: 'trust_job_started',
    summary: 'Rank a release, and use it for checks',
    description: 'Starts a job, like `zastava trust rank`.',
    body: z.object({
      release: releaseName.nullish().describe('Absent: the newest import with crawled links.'),
      memory_mib: memory,
      diff: z
        .boolean()
        .nullish()
        .describe(
          'true: `diff` of the result lists the domains that changed colour, and the terms that moved.',
        ),
    }),
    result,
    errors: ['rate_limited'],
    handle: (body, call) => {
      const { memory_mib: memoryMiB, ...options } = withoutNulls(body);
      return startJob(trustJobs, { kind: 'rank', ...options, memoryMiB }, call);
    },
  }),
];

export const trustJobOperations = ({ trustJobs }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/jobs/',
    unlogged: true,
    summary: 'List jobs on the link graph',
    description: 'The jobs of this node since it started, newest first.',
    body: emptyBody,
    result: z.object({ jobs: z.array(trustJob) }),
    handle: async (_, { request }) => {
      const say = refusalsFor(request);
      return { jobs: (await trustJobs.list()).map((job) => translatedJob(job, say)) };
    },
  }),

  adminOperation({
    path: '/admin/trust/jobs/stop/',
    act: 'trust_job_stopped',
    summary: 'Stop a job',
    description:
      'Answers when the job has ended. Its work so far stays: the same import or crawl later continues from there.',
    body: z.object({ id: z.string().describe('From the list of jobs.') }),
    example: { id: 'the id of a job' },
    result: z.object({ job: trustJob }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ id }, { act, request }) => {
      const job = await trustJobs.stop(id);
      await act.recordAlone({ subject: id, after: { work: job.work.kind, state: job.state } });
      return { job: translatedJob(job, refusalsFor(request)) };
    },
  }),
];

/** A job, with its sentences in the language of the caller. */
function translatedJob(job: TrustJob, say: Translate): TrustJobView {
  const view = trustJobView(job);
  const { progress, warnings, error } = view;
  return {
    ...view,
    progress: progress && { ...progress, step: say(progress.step) },
    warnings: warnings.map(say),
    error: error && { ...error, message: say(error.message) },
  };
}

/** Starts a job. The job records what it has done as a separate act. @throws the errors of `TrustJobs.start` */
export async function startJob(
  jobs: TrustJobBook,
  work: TrustWork,
  { caller: { login }, act }: ActCall,
): Promise<{ job: z.input<typeof trustJob> }> {
  const job = trustJobView(await jobs.start(work, login));
  await act.recordAlone({
    subject: job.id,
    after: { work: job.work, release: job.release ?? null },
  });
  return { job };
}
