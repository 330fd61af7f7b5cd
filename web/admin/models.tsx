import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro, sumOf } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';

type CatalogueShown = Data<'/admin/catalogue/'>;
type CatalogueChanges = Data<'/admin/catalogue/apply/'>;

/** The models with their prices, and a catalogue file that is shown as changes before it applies. */
export function Models() {
  const words = t().admin;
  const loaded = useLoaded((signal) => call('/admin/catalogue/', {}, { signal }));
  return (
    <>
      <Title name={words.models} />
      <Show of={loaded}>{(catalogue) => <ModelTable catalogue={catalogue} />}</Show>
      <h2>{words.apply}</h2>
      <ApplyFile onApplied={loaded.reload} />
    </>
  );
}

function ModelTable({ catalogue }: { catalogue: CatalogueShown }) {
  const words = t().admin;
  const numbers = [words.id, words.input, words.output, words.fixed];
  return (
    <Table
      name={words.models}
      columns={[words.id, words.provider, words.model, words.input, words.output, words.fixed]}
      numbers={numbers}
    >
      {catalogue.models.map((model) => (
        <tr key={model.id}>
          <td class="number">{model.id}</td>
          <td>{model.code}</td>
          <th scope="row">{model.model}</th>
          {[
            micro(model.cost_input_tokens_rub),
            micro(model.cost_output_tokens_rub),
            sumOf([model.cost_input_fix_rub, model.cost_output_fix_rub]),
          ].map((price, index) => (
            <td class="number" key={index}>
              {model.priced ? rubles(price) : '–'}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** First a dry run, whose changes are shown; then the same file for good. */
function ApplyFile({ onApplied }: { onApplied: () => void }) {
  const words = t().admin;
  const yaml = useSignal('');
  const plan = useSignal<CatalogueChanges | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const run = async (isDry: boolean) => {
    error.value = undefined;
    try {
      const body = { yaml: yaml.value, dry_run: isDry };
      const changes = await call('/admin/catalogue/apply/', body);
      plan.value = isDry ? changes : undefined;
      if (!isDry) onApplied();
    } catch (thrown) {
      plan.value = undefined;
      error.value = thrown;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(true);
      }}
    >
      <label class="field">
        {words.yaml}
        <textarea
          class="code"
          rows={10}
          spellcheck={false}
          value={yaml.value}
          onInput={(event) => {
            yaml.value = event.currentTarget.value;
            plan.value = undefined;
          }}
          required
        />
      </label>
      <p class="hint">{words.yamlHint}</p>
      {error.value !== undefined && <ErrorProblem error={error.value} />}
      <button type="submit">{words.showChanges}</button>
      {plan.value && <Plan plan={plan.value} onApply={() => void run(false)} />}
    </form>
  );
}

function Plan({ plan, onApply }: { plan: CatalogueChanges; onApply: () => void }) {
  const words = t().admin;
  return (
    <div class="notice" role="group" aria-label={words.changes}>
      {plan.changes.length === 0 ? (
        <p>{words.noChanges}</p>
      ) : (
        <>
          <p>{words.changes}</p>
          <ul>
            {plan.changes.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {plan.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {plan.changes.length > 0 && (
        <p>
          <button type="button" class="primary" onClick={onApply}>
            {words.applyNow}
          </button>
        </p>
      )}
    </div>
  );
}
