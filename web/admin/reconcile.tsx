import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { t } from '../i18n/index.ts';
import { Field } from '../ui/field.tsx';
import { Problem, ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Title } from '../ui/title.tsx';
import { Comparison } from './comparison.tsx';
import { w } from './words/index.ts';

/** How many rows of each list are requested; larger comparisons are for the command line. */
const ROWS_MAX = 1000;

/** Compares a provider's usage export with the books. */
export function Reconcile() {
  const words = w();
  const { compare } = words;
  const isMissing = useSignal(false);
  const result = useSignal<Data<'/admin/reconcile/'> | undefined>(undefined);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    result.value = undefined;
    const file = new FormData(form).get('csv');
    isMissing.value = !(file instanceof File) || file.size === 0;
    if (!(file instanceof File) || isMissing.value) return;
    result.value = await call('/admin/reconcile/', {
      csv: await file.text(),
      columns: fields('columns').trim() || null,
      models: pairsOf(fields('models')),
      from: fields('from') || null,
      to: fields('to') || null,
      limit: ROWS_MAX,
    });
    announce(compare.byId);
  });
  return (
    <>
      <Title name={words.reconcile} />
      <p>{compare.intro}</p>
      <form onSubmit={onSubmit}>
        <div class="row">
          <Field label={compare.csv} name="csv" type="file" accept=".csv,text/csv" />
          <Field label={w().sums.from} name="from" type="date" />
          <Field label={w().sums.to} name="to" type="date" />
        </div>
        <Field
          label={compare.columns}
          hint={compare.columnsHint}
          name="columns"
          autocomplete="off"
        />
        <Field label={compare.models} hint={compare.modelsHint} name="models" autocomplete="off" />
        <button type="submit" class="primary" disabled={isBusy.value}>
          {isBusy.value ? compare.running : compare.run}
        </button>
      </form>
      {isMissing.value && <Problem words={compare.noFile} />}
      <ErrorProblem error={error.value} />
      {isBusy.value && <p role="status">{t().loading}</p>}
      {result.value && <Comparison result={result.value} />}
    </>
  );
}

/** `THEIRS=OURS,…` as an object. */
function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((word) => word.trim()));
  return Object.fromEntries(pairs.flatMap(([from, to]) => (from && to ? [[from, to]] : [])));
}
