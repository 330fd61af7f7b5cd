import { useSignal } from '@preact/signals';
import { call } from '../api/client.ts';
import { Field } from '../ui/field.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { BadLines, linesOf } from './seeds.tsx';
import { w } from './words/index.ts';

/** Forms that start jobs. */
export function JobForms({ onStarted }: { onStarted: () => void }) {
  return (
    <>
      <ImportForm onStarted={onStarted} />
      <RankForm onStarted={onStarted} />
      <CrawlForm onStarted={onStarted} />
    </>
  );
}

const wholeOrNull = (text: string) => (text === '' ? null : Number(text));

function ImportForm({ onStarted }: { onStarted: () => void }) {
  const words = w().jobs;
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    await call('/admin/trust/import/', {
      vertices: fields('vertices'),
      edges: fields('edges'),
      release: fields('release').trim() || null,
      memory_mib: wholeOrNull(fields('memory')),
    });
    form.reset();
    onStarted();
  });
  return (
    <details>
      <summary>{words.import}</summary>
      <form class="row" onSubmit={onSubmit}>
        <Field label={words.vertices} name="vertices" type="url" required />
        <Field label={words.edges} name="edges" type="url" required />
        <Field label={words.release} name="release" pattern="[\w.\-]{1,64}" />
        <Field label={words.memory} name="memory" type="number" min={1} />
        <button type="submit" disabled={isBusy.value}>
          {words.start}
        </button>
      </form>
      <ErrorProblem error={error.value} />
    </details>
  );
}

function RankForm({ onStarted }: { onStarted: () => void }) {
  const words = w().jobs;
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    await call('/admin/trust/rank/', {
      release: fields('release').trim() || null,
      memory_mib: wholeOrNull(fields('memory')),
    });
    form.reset();
    onStarted();
  });
  return (
    <details>
      <summary>{words.rank}</summary>
      <form class="row" onSubmit={onSubmit}>
        <Field label={words.release} hint={words.rankHint} name="release" pattern="[\w.\-]{1,64}" />
        <Field label={words.memory} name="memory" type="number" min={1} />
        <button type="submit" disabled={isBusy.value}>
          {words.start}
        </button>
      </form>
      <ErrorProblem error={error.value} />
    </details>
  );
}

function CrawlForm({ onStarted }: { onStarted: () => void }) {
  const words = w().jobs;
  const bad = useSignal<readonly { line: number; text: string; message: string }[]>([]);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    const answer = await call('/admin/trust/crawl/', {
      domains: linesOf(fields('domains')),
      pages: wholeOrNull(fields('pages')),
    });
    bad.value = answer.bad;
    form.reset();
    onStarted();
  });
  return (
    <details>
      <summary>{words.crawl}</summary>
      <form onSubmit={onSubmit}>
        <label class="field">
          {words.domains}
          <textarea name="domains" rows={4} spellcheck={false} />
        </label>
        <p class="hint">{words.crawlHint}</p>
        <Field label={words.pages} name="pages" type="number" min={1} />
        <button type="submit" disabled={isBusy.value}>
          {words.start}
        </button>
      </form>
      <BadLines lines={bad.value} />
      <ErrorProblem error={error.value} />
    </details>
  );
}
