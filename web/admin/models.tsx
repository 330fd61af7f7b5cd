import { call, type Data } from '../api/client.ts';
import { hrefOf } from '../app/routes.ts';
import { rubles } from '../i18n/format.ts';
import { micro, sumOf } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { priceHours } from '../ui/price-hours.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { ApplyFile } from './apply-file.tsx';
import { ImportPrices } from './import-prices.tsx';
import { w } from './words/index.ts';

type Catalogue = Data<'/admin/catalogue/'>;

/**
 * The providers and models with their prices; a catalogue file and a price list, whose changes are shown before they
 * are applied.
 */
export function Models() {
  const words = w();
  const loaded = useLoaded((signal) => call('/admin/catalogue/', {}, { signal }));
  return (
    <>
      <Title name={words.models} />
      <Show of={loaded}>
        {(catalogue) => (
          <>
            <ModelTable catalogue={catalogue} />
            <h2>{words.providers.title}</h2>
            <ProviderTable catalogue={catalogue} />
          </>
        )}
      </Show>
      <h2>{words.file.title}</h2>
      <ApplyFile
        isFirst={loaded.data.value !== undefined && isWithoutFile(loaded.data.value)}
        onApplied={loaded.reload}
      />
      <h2>{words.prices.title}</h2>
      <ImportPrices onApplied={loaded.reload} />
    </>
  );
}

function isWithoutFile({ providers, models }: Catalogue): boolean {
  return [...providers, ...models].every(({ origin }) => origin !== 'file');
}

function ModelTable({ catalogue }: { catalogue: Catalogue }) {
  const words = w();
  const numbers = [words.input, words.output, words.fixed];
  return (
    <Table
      name={words.models}
      columns={[words.id, words.provider, words.model, words.input, words.output, words.fixed]}
      numbers={numbers}
    >
      {catalogue.models.map((model) => (
        <tr key={model.id}>
          <td>{model.id}</td>
          <td>{model.code}</td>
          <th scope="row" dir="auto">
            <a href={hrefOf(`admin/models/${model.id}`)}>{model.model}</a>
            {model.cost_hours && <div class="small">{priceHours(model)}</div>}
          </th>
          {model.priced ? (
            [
              micro(model.cost_input_tokens_rub),
              micro(model.cost_output_tokens_rub),
              sumOf([model.cost_input_fix_rub, model.cost_output_fix_rub]),
            ].map((price, index) => (
              <td class="number" key={index}>
                {rubles(price)}
              </td>
            ))
          ) : (
            <td colSpan={3}>{words.unpriced}</td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** Keys as references. A key written in the file itself is a secret: it is only shown that it is set. */
function keysOf({ api_keys, api_key }: Catalogue['providers'][number]): string | undefined {
  return (api_keys ?? api_key)?.replaceAll('(set)', w().providers.isSet);
}

/** Without secrets. */
function ProviderTable({ catalogue }: { catalogue: Catalogue }) {
  const { provider, providers: words } = w();
  return (
    <Table
      name={words.title}
      columns={[provider, words.kind, words.address, words.key, words.origin]}
    >
      {catalogue.providers.map((one) => (
        <tr key={one.code}>
          <th scope="row">{one.code}</th>
          <td>{one.kind}</td>
          <td dir="auto">{one.base_url ?? words.standard}</td>
          <td>
            <code>{keysOf(one) ?? '–'}</code>
          </td>
          <td>{words.origins[one.origin]}</td>
        </tr>
      ))}
    </Table>
  );
}
