/** State that the workers of a server share. */
import { mergedMetrics, type Metrics } from './http/index.ts';
import { openJobSocket, type TrustJobBook, type TrustJobs, type TrustWork } from './trust/index.ts';
import type { Siblings } from './workers/index.ts';

/** The answer of `/metrics`: the metrics of this process, or of all workers that serve together. */
export function metricsOfAll(
  metrics: Metrics,
  siblings: Siblings | undefined,
): () => Promise<string> {
  if (!siblings) return () => metrics.text();
  siblings.onAsk('metrics', () => metrics.text());
  return async () => mergedMetrics(await siblings.askAll<string>('metrics'));
}

/**
 * Jobs belong to the data directory, which the workers of a server share: the first worker runs and lists all of them.
 */
export function jobsOfFirst(jobs: TrustJobs, siblings: Siblings | undefined): TrustJobBook {
  if (!siblings) return jobs;
  if (!siblings.isFirst) {
    return {
      list: () => siblings.askFirst('jobs.list'),
      start: (work, askedBy) => siblings.askFirst('jobs.start', { work, askedBy }),
      stop: (id) => siblings.askFirst('jobs.stop', { id }),
    };
  }
  siblings.onAsk('jobs.list', () => jobs.list());
  siblings.onAsk('jobs.start', ({ work, askedBy }: { work: TrustWork; askedBy: string }) =>
    jobs.start(work, askedBy),
  );
  siblings.onAsk('jobs.stop', ({ id }: { id: string }) => jobs.stop(id));
  return jobs;
}

/** The socket for commands, in the worker that has the jobs. @returns closes it; undefined if another worker has it */
export async function jobSocketOfFirst(
  siblings: Siblings | undefined,
  ...parts: Parameters<typeof openJobSocket>
): Promise<(() => Promise<void>) | undefined> {
  return siblings && !siblings.isFirst ? undefined : openJobSocket(...parts);
}
