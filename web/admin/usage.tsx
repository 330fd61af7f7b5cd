import { call, type Data } from '../api/client.ts';
import { query, setQuery } from '../app/routes.ts';
import { day, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { UserLink } from './overview.tsx';
import { offsetOf, PAGE_ROWS, Pager } from './pager.tsx';
import { w } from './words/index.ts';

const parts = ['day', 'model', 'provider', 'user'] as const;
type Part = (typeof parts)[number];

/** What the sums are split by. It stands in the address. */
function chosenParts(): Part[] {
  const asked = query.value.get('by')?.split(',') ?? ['day', 'model'];
  return parts.filter((part) => asked.includes(part));
}

/** The spend of all users by day, model, provider and user. */
export function UsageScreen() {
  const words = w();
  const by = chosenParts();
  const offset = offsetOf();
  const from = query.value.get('from') ?? undefined;
  const to = query.value.get('to') ?? undefined;
  const loaded = useLoaded(
    (signal) => call('/admin/usage/', { from, to, by, limit: PAGE_ROWS, offset }, { signal }),
    [from, to, by.join(), offset],
  );
  return (
    <>
      <Title name={words.usage} />
      <Range from={from} to={to} />
      <fieldset class="row">
        <legend>{words.sums.by}</legend>
        {parts.map((part) => (
          <label class="check" key={part}>
            <input
              type="checkbox"
              checked={by.includes(part)}
              disabled={by.length === 1 && by.includes(part)}
              onChange={() => {
                const next = parts.filter((one) => by.includes(one) !== (one === part));
                setQuery({ by: next.join(','), offset: undefined });
              }}
            />
            {words.sums.parts[part]}
          </label>
        ))}
      </fieldset>
      <p class="small">{words.sums.utc}</p>
      <Show of={loaded}>
        {(usage) =>
          usage.count === 0 ? (
            <p>{words.sums.none}</p>
          ) : (
            <>
              <Sums usage={usage} by={by} />
              <Pager offset={offset} shown={usage.rows.length} total={usage.count} />
            </>
          )
        }
      </Show>
    </>
  );
}

function Range({ from, to }: { from: string | undefined; to: string | undefined }) {
  const words = w().sums;
  return (
    <form class="row" onSubmit={(event) => event.preventDefault()}>
      <Field
        label={words.from}
        type="date"
        value={from ?? ''}
        onChange={(event) => setQuery({ from: event.currentTarget.value, offset: undefined })}
      />
      <Field
        label={words.to}
        type="date"
        value={to ?? ''}
        onChange={(event) => setQuery({ to: event.currentTarget.value, offset: undefined })}
      />
    </form>
  );
}

function Sums({ usage, by }: { usage: Data<'/admin/usage/'>; by: readonly Part[] }) {
  const words = w();
  const { sums } = words;
  const heads = { day: sums.day, model: words.model, provider: words.provider, user: words.login };
  const numbers = [sums.requests, sums.promptTokens, sums.completionTokens, sums.spend];
  const { total } = usage;
  return (
    <Table
      name={words.usage}
      columns={[...by.map((part) => heads[part]), ...numbers]}
      numbers={numbers}
      foot={
        <tr>
          <th scope="row" colSpan={by.length}>
            {sums.total}
          </th>
          <Counts of={total} />
        </tr>
      }
    >
      {usage.rows.map((row) => (
        <tr key={[row.day, row.model_id, row.provider, row.login].join(' ')}>
          {by.includes('day') && <td>{row.day === null ? '' : day(row.day)}</td>}
          {by.includes('model') && <td>{row.model}</td>}
          {by.includes('provider') && <td>{row.provider}</td>}
          {by.includes('user') && (
            <td>
              <UserLink login={row.login ?? ''} />
            </td>
          )}
          <Counts of={row} />
        </tr>
      ))}
    </Table>
  );
}

function Counts({ of }: { of: Data<'/admin/usage/'>['total'] }) {
  return (
    <>
      <td class="number">{number(of.requests)}</td>
      <td class="number">{number(of.prompt_tokens)}</td>
      <td class="number">{number(of.completion_tokens)}</td>
      <td class="number">{rubles(micro(of.spend))}</td>
    </>
  );
}
