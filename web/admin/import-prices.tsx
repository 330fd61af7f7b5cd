import { useSignal } from '@preact/signals';
import { type Body, call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { number } from '../i18n/format.ts';
import { Field } from '../ui/field.tsx';
import { FileField } from '../ui/file-field.tsx';
import { ErrorProblem, Problem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { shown } from './changes.tsx';
import { w } from './words/index.ts';

type Report = Data<'/admin/catalogue/import/'>;
type ImportRequest = Body<'/admin/catalogue/import/'>;

/** Prices of a public list at the operator's rate: first shown as they would be, then applied. */
export function ImportPrices({ onApplied }: { onApplied: () => void }) {
  const { prices: words } = w();
  const list = useSignal<ImportRequest['list'] | undefined>(undefined);
  const isUnreadable = useSignal(false);
  const found = useSignal<{ request: ImportRequest; report: Report } | undefined>(undefined);
  const isDone = useSignal(false);
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    found.value = undefined;
    isDone.value = false;
    if (list.value === undefined) return void (isUnreadable.value = true);
    const request: ImportRequest = {
      list: list.value,
      usd_rate: fields('rate').trim().replace(',', '.'),
      markup: fields('markup').trim().replace(',', '.') || null,
      allow_free: fields('free') === 'on',
    };
    found.value = { request, report: await call('/admin/catalogue/import/', request) };
  });
  const apply = async (request: ImportRequest, seen: number) => {
    try {
      await call('/admin/catalogue/import/', { ...request, apply: true, revision: seen });
      found.value = undefined;
      isDone.value = true;
      announce(words.applied);
      onApplied();
    } catch (thrown) {
      error.value = thrown;
    }
  };
  const read = (text: string) => {
    found.value = undefined;
    list.value = objectOf(text);
    isUnreadable.value = list.value === undefined;
  };
  const decimal = { inputMode: 'decimal', pattern: '[0-9]{1,9}([.,][0-9]{1,9})?' } as const;
  return (
    <form onSubmit={onSubmit}>
      <div class="row">
        <FileField label={words.list} hint={words.hint} accept=".json" onText={read} />
        <Field label={words.rate} name="rate" {...decimal} autocomplete="off" required />
        <Field label={words.markup} name="markup" {...decimal} autocomplete="off" />
        <label class="check">
          <input type="checkbox" name="free" />
          {words.free}
        </label>
      </div>
      {isUnreadable.value && <Problem words={words.noJson} />}
      <ErrorProblem error={error.value} />
      {isDone.value && <p class="good">{words.applied}</p>}
      <button type="submit" disabled={isBusy.value}>
        {words.show}
      </button>
      {found.value && <Found {...found.value} onApply={apply} />}
    </form>
  );
}

interface FoundProps {
  request: ImportRequest;
  report: Report;
  onApply: (request: ImportRequest, seen: number) => Promise<void>;
}

function Found({ request, report, onApply }: FoundProps) {
  const words = w();
  const changes = report.rows.filter(({ outcome }) => outcome === 'changed' || outcome === 'added');
  return (
    <div class="notice" role="group" aria-label={words.prices.title}>
      <Rows rows={report.rows} />
      {report.not_listed.length > 0 && (
        <>
          <h3>{words.prices.notListed}</h3>
          <ul>
            {report.not_listed.map(({ provider, model, reason }) => (
              <li key={`${provider}/${model}`} dir="auto">
                {`${provider}/${model}: ${reason}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">{words.prices.skipped(number(report.skipped))}</p>
      {changes.length > 0 && (
        <p>
          <button
            type="button"
            class="primary"
            onClick={() => void onApply(request, report.revision)}
          >
            {words.apply}
          </button>
        </p>
      )}
    </div>
  );
}

function Rows({ rows }: { rows: Report['rows'] }) {
  const words = w();
  const { prices, file } = words;
  if (rows.length === 0) return <p>{words.none}</p>;
  return (
    <Table
      name={prices.title}
      columns={[words.model, prices.outcome, file.field, file.from, file.to, prices.why]}
    >
      {rows.flatMap(({ outcome, list_provider: provider, list_model: model, fields, ...row }) => {
        const lines = fields.length > 0 ? fields : [undefined];
        return lines.map((field, index) => (
          <tr key={`${provider}/${model} ${index}`}>
            {index === 0 && (
              <>
                <th scope="row" rowSpan={lines.length} dir="auto">
                  {`${provider}/${model}`}
                </th>
                <td rowSpan={lines.length} class={outcome === 'refused' ? 'bad' : undefined}>
                  {prices.outcomes[outcome]}
                </td>
              </>
            )}
            <td>{field?.field}</td>
            <td>{shown(field?.from)}</td>
            <td>{shown(field?.to)}</td>
            {index === 0 && (
              <td rowSpan={lines.length} dir="auto">
                {[row.reason, row.note].filter((text) => text !== null).join('; ')}
              </td>
            )}
          </tr>
        ));
      })}
    </Table>
  );
}

/** The object in a text of JSON; undefined if it is not an object. */
function objectOf(text: string): ImportRequest['list'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ImportRequest['list'])
      : undefined;
  } catch {
    return undefined;
  }
}
