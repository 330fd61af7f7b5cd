import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { TrustJob } from './trust-jobs.ts';
import type { TrustWork } from './work.ts';

/** A job as admins see it, over HTTP and on the command line. Times are Unix seconds. */
export interface TrustJobView {
  id: string;
  work: TrustWork['kind'];
  release: string | null;
  state: TrustJob['state'];
  asked_by: string;
  asked_at: number;
  started_at: number | null;
  ended_at: number | null;
  progress: { step: string; done: number | null; total: number | null } | null;
  warnings: string[];
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

export function trustJobView(job: TrustJob): TrustJobView {
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
