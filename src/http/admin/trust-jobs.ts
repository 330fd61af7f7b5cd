import { z } from 'zod';
import type { TrustJobs } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';
import { trustJob, trustJobView } from './trust-job-view.ts';

export const trustJobsOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/jobs/',
    tag: 'Admin',
    unlogged: true,
    summary: 'List jobs on the link graph',
    description: 'Of this node since its start, the newest first.',
    body: emptyBody,
    result: z.object({ jobs: z.array(trustJob) }),
    errors: [],
    handle: () => Promise.resolve({ jobs: jobs.list().map(trustJobView) }),
  });

export const trustJobsStopOperation = (jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/jobs/stop/',
    tag: 'Admin',
    summary: 'Stop a job',
    description:
      'Answers when it has ended. What it did so far stays: asked for again, an import or a crawl goes on there.',
    body: z.object({ id: z.string().meta({ description: 'As the list of jobs tells it.' }) }),
    example: { id: 'the id of a job' },
    result: z.object({ job: trustJob }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ id }) => ({ job: trustJobView(await jobs.stop(id)) }),
  });
