import { z } from 'zod';
import { releaseView, type GraphStore, type TrustJobs } from '../../trust/index.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';
import { releaseName } from './trust-graph.ts';
import { beginJob, trustJob } from './trust-job-view.ts';

export const trustReleasesOperation = (store: GraphStore) =>
  adminOperation({
    path: '/admin/trust/releases/',
    tag: 'Admin',
    unlogged: true,
    summary: 'List releases of the link graph',
    description: 'Of this node, the oldest first.',
    body: emptyBody,
    result: z.object({
      releases: z.array(
        z.object({
          name: z.string(),
          domains: z.int(),
          links: z.int(),
          created: z.iso.datetime(),
          ranked: z.boolean().meta({ description: 'Whether it has scores.' }),
          current: z.boolean().meta({ description: 'Whether checks are answered from it.' }),
        }),
      ),
      fault: z
        .string()
        .nullable()
        .meta({ description: 'Why the release that is in use can not be opened.' }),
    }),
    errors: [],
    handle: async () => ({
      releases: (await store.list()).map(releaseView),
      fault: store.currentFault() ?? null,
    }),
  });

export const trustReleasesUseOperation = (store: GraphStore, jobs: TrustJobs) =>
  adminOperation({
    path: '/admin/trust/releases/use/',
    tag: 'Admin',
    summary: 'Answer checks from a release',
    description: 'Begins a job: all of the release is compared with its checksums first.',
    body: z.object({ release: releaseName }),
    example: { release: 'example' },
    result: z.object({ job: trustJob }),
    errors: ['not_found', 'rate_limited'],
    handle: async ({ release }, { caller }) => {
      store.open(release);
      return await beginJob(jobs, { kind: 'use', release }, caller);
    },
  });

export const trustReleasesRemoveOperation = (store: GraphStore) =>
  adminOperation({
    path: '/admin/trust/releases/remove/',
    tag: 'Admin',
    summary: 'Delete a release from the disk',
    description:
      'Never the one in use. Also the name of an import that you gave up. `invalid_request` while a job works on it.',
    body: z.object({ release: releaseName }),
    example: { release: 'example' },
    result: z.object({ removed: z.literal(true) }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ release }) => {
      await store.remove(release);
      return { removed: true as const };
    },
  });
