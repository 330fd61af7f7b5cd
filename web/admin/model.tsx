import { useSignal } from '@preact/signals';
import { type Body, call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { hrefOf } from '../app/routes.ts';
import { dateTime } from '../i18n/format.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { priceHours } from '../ui/price-hours.ts';
import { ErrorProblem, Problem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { Changes, shown } from './changes.tsx';
import { w } from './words/index.ts';

type Model = Data<'/admin/catalogue/versions/'>['versions'][number]['model'];
type Price = NonNullable<Body<'/admin/catalogue/price/'>['price']>;

const fields = [
  'cost_input_tokens_rub',
  'cost_output_tokens_rub',
  'cost_input_fix_rub',
  'cost_output_fix_rub',
  'cost_cached_input_tokens_rub',
  'cost_cache_write_tokens_rub',
  'cost_reasoning_tokens_rub',
  'cost_characters_rub',
  'long_context_above_tokens',
  'cost_long_input_tokens_rub',
  'cost_long_output_tokens_rub',
  'cost_long_cached_input_tokens_rub',
  'cost_long_cache_write_tokens_rub',
  'cost_long_reasoning_tokens_rub',
] as const satisfies readonly (keyof Price & keyof Model)[];

/** One model: its price, whose changes are shown before it is set, and its versions with their dates. */
export function ModelScreen({ id }: { id: number }) {
  const words = w();
  const loaded = useLoaded((signal) =>
    call('/admin/catalogue/versions/', { id, limit: 50 }, { signal }),
  );
  const model = loaded.data.value?.versions[0]?.model;
  return (
    <>
      <Title name={model ? `${model.code}/${model.model}` : `${words.model} ${id}`} />
      <Show of={loaded}>
        {({ origin, versions: [newest, ...older] }) =>
          newest ? (
            <>
              <h2>{words.price.title}</h2>
              <Hours model={newest.model} />
              {origin === 'builtin' ? (
                <p>
                  {words.price.own} <a href={hrefOf('admin/models')}>{words.file.title}</a>.
                </p>
              ) : (
                <PriceForm key={newest.version} model={newest.model} onSet={loaded.reload} />
              )}
              <h2>{words.price.versions}</h2>
              <Versions versions={[newest, ...older]} />
            </>
          ) : (
            <Problem words={words.price.unknown} />
          )
        }
      </Show>
    </>
  );
}

/** The hours with different prices. Only the catalogue file sets them. */
function Hours({ model }: { model: Model }) {
  const hours = priceHours(model);
  return hours === undefined ? null : <p class="notice">{hours}</p>;
}

/** The fields of the form as a whole price: an empty field is left out. */
function priceOf(text: (name: string) => string): Price | null {
  const given = fields.flatMap((name): [string, string | number][] => {
    const value = text(name).trim().replace(',', '.');
    if (value === '') return [];
    return [[name, name === 'long_context_above_tokens' ? Number(value) : value]];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

function PriceForm({ model, onSet }: { model: Model; onSet: () => void }) {
  const words = w();
  const plan = useSignal<
    { price: Price | null; answer: Data<'/admin/catalogue/price/'> } | undefined
  >(undefined);
  const { id } = model;
  const { error, isBusy, onSubmit } = useSubmit(async (text) => {
    plan.value = undefined;
    const price = priceOf(text);
    const answer = await call('/admin/catalogue/price/', { id, price, dry_run: true });
    plan.value = { price, answer };
  });
  const apply = async () => {
    if (!plan.value) return;
    const { price, answer } = plan.value;
    plan.value = undefined;
    try {
      await call('/admin/catalogue/price/', { id, price, revision: answer.revision });
      announce(words.price.done);
      onSet();
    } catch (thrown) {
      error.value = thrown;
    }
  };
  return (
    <form onSubmit={onSubmit} onInput={() => (plan.value = undefined)}>
      <p class="hint">{words.price.hint}</p>
      <div class="facts">
        {fields.map((name) => (
          <Field
            key={name}
            label={words.price.fields[name]}
            name={name}
            inputMode="decimal"
            pattern="[0-9]{1,10}([.,][0-9]{1,6})?"
            autocomplete="off"
            defaultValue={model.priced && model[name] !== undefined ? String(model[name]) : ''}
          />
        ))}
      </div>
      <ErrorProblem error={error.value} />
      <button type="submit" disabled={isBusy.value}>
        {words.file.show}
      </button>
      {plan.value && (
        <div class="notice" role="group" aria-label={words.file.changes}>
          <p role="status">
            {plan.value.answer.changes.length === 0 ? words.price.same : words.file.changes}
          </p>
          {plan.value.answer.changes.length > 0 && (
            <>
              <Changes changes={plan.value.answer.changes} />
              <p>
                <button type="button" class="primary" onClick={() => void apply()}>
                  {words.apply}
                </button>
              </p>
            </>
          )}
        </div>
      )}
    </form>
  );
}

function Versions({ versions }: { versions: Data<'/admin/catalogue/versions/'>['versions'] }) {
  const words = w();
  return (
    <Table
      name={words.price.versions}
      columns={[words.price.since, words.file.field, words.price.before, words.price.after]}
    >
      {versions.flatMap(({ version, valid_from: since, fields: changed }) => {
        const rows = changed.length > 0 ? changed : [undefined];
        return rows.map((field, index) => (
          <tr key={`${version} ${index}`}>
            {index === 0 && (
              <th scope="row" rowSpan={rows.length}>
                {`${words.records.id} ${version}, ${dateTime(since)}`}
              </th>
            )}
            <td>{field?.field ?? words.price.first}</td>
            <td dir="auto">{shown(field?.from)}</td>
            <td dir="auto">{shown(field?.to)}</td>
          </tr>
        ));
      })}
    </Table>
  );
}
