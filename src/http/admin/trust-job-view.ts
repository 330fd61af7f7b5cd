import { z } from 'zod';
import {
  jobStates,
  trustWorkKinds,
  type TrustJob,
  type TrustJobs,
  type TrustWork,
} from '../../trust/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { Caller } from '../../users/index.ts';
import { unixSeconds } from '../schemas.ts';

/** A job as admins see it. */
export const trustJob = z
  .object({
    id: z.string(),
    work: z.enum(trustWorkKinds),
    release: z.string().nullable().meta({ description: 'The release in the request.' }),
    state: z.enum(jobStates).meta({
      description: '`waiting` until earlier jobs have ended. The last three are final.',
    }),
    asked_by: z.string().meta({ description: 'Login.' }),
    asked_at: unixSeconds,
    started_at: unixSeconds.nullable(),
    ended_at: unixSeconds.nullable(),
    progress: z
      .object({
        step: z.string(),
        done: z.int().nullable().meta({ description: 'Items of this step; null: not counted.' }),
        total: z.int().nullable().meta({ description: 'null: not known.' }),
      })
      .nullable()
      .meta({ description: 'The current or last step.' }),
    warnings: z.array(z.string()),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The output of the same command with `--json`.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'TrustJob' });

export function trustJobView(job: TrustJob): z.input<typeof trustJob> {
  const { id, work, state, progress, warnings, error } = job;
  return {
    id,
    work: work.kind,
    release: 'release' in work ? (work.release ?? null) : null,
    state,
    asked_by: job.askedBy,
    asked_at: toUnixSeconds(job.askedAt),
    started_at: toUnixSecondsOrNull(job.startedAt),
    ended_at: toUnixSecondsOrNull(job.endedAt),
    progress: progress && {
      step: progress.step,
      done: progress.done ?? null,
      total: progress.total ?? null,
    },
    warnings,
    result: job.result as Record<string, unknown> | null,
    error,
  };
}

/** Starts a job. @throws the errors of `TrustJobs.start` */
export async function startJob(
  jobs: TrustJobs,
  work: TrustWork,
  { login }: Caller,
): Promise<{ job: z.input<typeof trustJob> }> {
  return { job: trustJobView(jobs.start(work, login)) };
}
