import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { number } from '../i18n/format.ts';
import { useAction } from '../ui/action.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { ShowPages, usePages } from '../ui/pages.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Seed = Data<'/admin/trust/seeds/'>['seeds'][number];
type BadLine = Data<'/admin/trust/seeds/add/'>['bad'][number];

const kinds = ['trusted', 'spam'] as const;

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** How many lines of a long list are shown. */
const BAD_SHOWN = 20;

/** Lines that name no site, each with its problem. @param count of all; absent: `lines` has all of them */
export function BadLines({ lines, count }: { lines: readonly BadLine[]; count?: number }) {
  if (lines.length === 0) return null;
  const shown = lines.slice(0, BAD_SHOWN);
  const more = (count ?? lines.length) - shown.length;
  return (
    <div class="problem" role="alert">
      <p>{w().jobs.bad}</p>
      <ul>
        {shown.map(({ line, text, message }) => (
          <li key={line} dir="auto">
            {`${line}: ${text}: ${message}`}
          </li>
        ))}
        {more > 0 && <li>{`… +${number(more)}`}</li>}
      </ul>
    </div>
  );
}

/** The domains that the operator trusts, and the ones known as spam. */
export function Seeds() {
  const words = w().seeds;
  const { error, run } = useAction();
  const pages = usePages(async (limit, last?: Seed, signal?) => {
    const body = { limit, after: last?.domain };
    const { seeds, sources } = await call('/admin/trust/seeds/', body, { signal });
    return { answer: sources, rows: seeds };
  });
  const remove = async (domain: string) => {
    await call('/admin/trust/seeds/remove/', { domains: [domain] });
    pages.reload();
  };
  return (
    <>
      <p class="hint">{words.hint}</p>
      <ErrorProblem error={error.value} />
      <ShowPages of={pages} more={words.more}>
        {({ answer: sources, rows }) =>
          rows.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              <ul>
                {sources.map((source) => (
                  <li key={originOf(source) + source.kind}>
                    {`${words.kinds[source.kind]}: ${originOf(source)}: ${number(source.domains)}`}
                  </li>
                ))}
              </ul>
              <SeedTable seeds={rows} onRemove={(domain) => void run(() => remove(domain))} />
            </>
          )
        }
      </ShowPages>
      <AddSeeds onAdded={pages.reload} />
    </>
  );
}

const originOf = ({ source, date }: Pick<Seed, 'source' | 'date'>) =>
  [source, date].filter(Boolean).join(', ') || '–';

interface SeedTableProps {
  seeds: readonly Seed[];
  onRemove: (domain: string) => void;
}

function SeedTable({ seeds, onRemove }: SeedTableProps) {
  const words = w().seeds;
  return (
    <Table name={words.title} columns={[words.domain, words.kind, words.source, words.remove]}>
      {seeds.map((seed) => (
        <tr key={seed.domain}>
          <th scope="row">{seed.domain}</th>
          <td>{words.kinds[seed.kind]}</td>
          <td>{originOf(seed)}</td>
          <td>
            <button
              type="button"
              aria-label={`${words.remove}: ${seed.domain}`}
              onClick={() => onRemove(seed.domain)}
            >
              {words.remove}
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function AddSeeds({ onAdded }: { onAdded: () => void }) {
  const words = w().seeds;
  const added = useSignal<Data<'/admin/trust/seeds/add/'> | undefined>(undefined);
  const { error, isBusy, onSubmit } = useSubmit(async (fields, form) => {
    added.value = await call('/admin/trust/seeds/add/', {
      kind: kinds.find((kind) => kind === fields('kind')) ?? 'trusted',
      domains: linesOf(fields('domains')),
      source: fields('source').trim() || null,
    });
    form.reset();
    onAdded();
  });
  return (
    <form onSubmit={onSubmit}>
      <label class="field">
        {words.domains}
        <textarea name="domains" rows={3} spellcheck={false} required />
      </label>
      <div class="row">
        <Field label={words.source} name="source" maxLength={200} />
        <Choice label={words.kind} name="kind" options={words.kinds} />
        <button type="submit" disabled={isBusy.value}>
          {words.add}
        </button>
      </div>
      {added.value && (
        <>
          <p role="status">{words.added(number(added.value.added))}</p>
          <BadLines lines={added.value.bad} count={added.value.bad_count} />
        </>
      )}
      <ErrorProblem error={error.value} />
    </form>
  );
}
