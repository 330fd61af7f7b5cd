import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { TrustJob } from './trust-jobs.ts';

export type TrustJobView = ReturnType<typeof trustJobView>;

/** A job as admins see it, over HTTP and on the command line. Times are Unix seconds. */
export function trustJobView(job: TrustJob) {
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
