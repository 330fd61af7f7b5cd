import { z } from 'zod';
import { invalidField } from '../../lib/errors.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import { emptyBody, textOrNull } from '../schemas.ts';
import { releaseName, startJob, suffixes, trustJob } from './trust-jobs.ts';

export const releaseOperations = ({ releases, trustJobs }: OperationParts) => [
  adminOperation({
    path: '/admin/trust/releases/',
    unlogged: true,
    summary: 'List releases of the link graph',
    description: 'Releases on this node, oldest first.',
    body: emptyBody,
    result: z.object({
      releases: z.array(
        z.object({
          name: z.string(),
          domains: z.int(),
          links: z.int(),
          suffixes: suffixes.describe('The public suffixes that its names were made with.'),
          created: z.iso.datetime(),
          ranked: z.boolean().describe('true: it has scores.'),
          current: z.boolean().describe('true: checks use its scores.'),
          base: z
            .boolean()
            .describe(
              'true: it is the base, which describes the whole web beside the current one.',
            ),
        }),
      ),
      fault: textOrNull.describe('Why the release in use can’t be opened.'),
    }),
    handle: async () => ({
      releases: await releases.list(),
      fault: releases.currentFault() ?? null,
    }),
  }),

  adminOperation({
    path: '/admin/trust/releases/use/',
    act: 'trust_job_started',
    summary: 'Choose the releases for checks',
    description:
      'Starts a job, which first compares the named releases with their checksums. Give a release, a base or both.',
    body: z.object({
      release: releaseName
        .nullish()
        .describe('The release whose scores are used; absent: the same as before.'),
      base: releaseName
        .nullish()
        .describe('The release of the whole web beside it. null: none; absent: as before.'),
      since: releaseName
        .nullish()
        .describe('The earlier release to compare the base with; absent: the last base.'),
    }),
    example: { release: 'example' },
    result: z.object({ job: trustJob }),
    errors: ['not_found', 'rate_limited'],
    handle: async ({ release, base, since }, call) => {
      if (release == null && base === undefined) {
        throw invalidField('release', 'give a release, a base or both');
      }
      for (const name of [release, base, since]) if (name != null) releases.open(name);
      const given = { release: release ?? undefined, since: since ?? undefined };
      return startJob(trustJobs, { kind: 'use', ...given, base }, call);
    },
  }),

  adminOperation({
    path: '/admin/trust/releases/remove/',
    act: 'release_removed',
    summary: 'Delete a release from the disk',
    description:
      'Not the release in use. Also takes the name of an unfinished import. `invalid_request` while a job works on it.',
    body: z.object({ release: releaseName }),
    example: { release: 'example' },
    result: z.object({ removed: z.literal(true) }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ release }, { act }) => {
      await releases.remove(release);
      await act.recordAlone({ subject: release });
      return { removed: true as const };
    },
  }),
];
