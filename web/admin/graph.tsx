import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../api/client.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Title } from '../ui/title.tsx';
import { JobForms } from './graph-forms.tsx';
import { Jobs } from './graph-jobs.tsx';
import { Releases } from './releases.tsx';
import { Seeds } from './seeds.tsx';
import { w } from './words/index.ts';

/** How often jobs and releases are requested while the page is visible. */
const POLL_MS = 2_000;

/** The link graph: releases, jobs with their progress, the operator's domains. */
export function Graph() {
  const words = w();
  const jobs = useLoaded((signal) => call('/admin/trust/jobs/', {}, { signal }));
  const releases = useLoaded((signal) => call('/admin/trust/releases/', {}, { signal }));
  const reload = () => {
    jobs.reload();
    releases.reload();
  };
  const isRunning = jobs.data.value?.jobs.some(({ ended_at: end }) => end === null) ?? false;
  usePolling(jobs.reload, POLL_MS);
  // A job that has ended may have made a release.
  const wasRunning = useSignal(false);
  useEffect(() => {
    if (wasRunning.value && !isRunning) releases.reload();
    wasRunning.value = isRunning;
  }, [isRunning]);
  return (
    <>
      <Title name={words.graph} />
      <p class="hint">{words.releases.nodeHint}</p>
      <h2>{words.releases.title}</h2>
      <Show of={releases}>{(shown) => <Releases shown={shown} onChange={reload} />}</Show>
      <h2>{words.jobs.title}</h2>
      <Show of={jobs}>{(shown) => <Jobs jobs={shown.jobs} onChange={jobs.reload} />}</Show>
      <JobForms onStarted={jobs.reload} />
      <h2>{words.seeds.title}</h2>
      <Seeds />
    </>
  );
}

/** Repeats the work, but not while the page is hidden. */
function usePolling(work: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') work();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
}
