import { z } from 'zod';
import type { TrustJobs } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';
import { trustJob, trustJobView } from './trust-job-view.ts';

export const trustJobsOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/jobs/',
    unlogged: true,
    summary: 'List jobs on the link graph',
    description: 'Jobs of this node since its start, newest first.',
    body: emptyBody,
    result: z.object({ jobs: z.array(trustJob) }),
    handle: () => Promise.resolve({ jobs: jobs.list().map(trustJobView) }),
  });

export const trustJobsStopOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/jobs/stop/',
    summary: 'Stop a job',
    description:
      'Answers when the job has ended. Its work so far stays: the same import or crawl later continues from there.',
    body: z.object({ id: z.string().meta({ description: 'From the list of jobs.' }) }),
    example: { id: 'the id of a job' },
    result: z.object({ job: trustJob }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ id }) => ({ job: trustJobView(await jobs.stop(id)) }),
  });
