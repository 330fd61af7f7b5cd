import { call } from '../api/client.ts';
import type { UsageDay } from '../api/types.ts';
import { query, setQuery } from '../app/routes.ts';
import { day, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro, sumOf } from '../lib/money.ts';
import { Field } from '../ui/field.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';

/** What the user spent, by day and model. Days are UTC, as the server counts them. */
export function Spend() {
  const words = t().spend;
  const from = query.value.get('from') ?? undefined;
  const to = query.value.get('to') ?? undefined;
  const loaded = useLoaded(
    (signal) => call('/account/usage/', { from, to }, { signal }),
    [from, to],
  );
  return (
    <>
      <Title name={words.title} />
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <Field
          label={words.from}
          type="date"
          value={from ?? ''}
          onChange={(event) => setQuery({ from: event.currentTarget.value })}
        />
        <Field
          label={words.to}
          type="date"
          value={to ?? ''}
          onChange={(event) => setQuery({ to: event.currentTarget.value })}
        />
      </form>
      <p class="small">{words.utc}</p>
      <Show of={loaded}>
        {({ days }) => (days.length === 0 ? <p>{words.none}</p> : <Days days={days} />)}
      </Show>
    </>
  );
}

function Days({ days }: { days: readonly UsageDay[] }) {
  const words = t().spend;
  const totals = {
    requests: days.reduce((sum, one) => sum + one.requests, 0),
    prompt: days.reduce((sum, one) => sum + one.prompt_tokens, 0),
    completion: days.reduce((sum, one) => sum + one.completion_tokens, 0),
    spend: sumOf(days.map((one) => one.spend)),
  };
  const numbers = [words.requests, words.promptTokens, words.completionTokens, words.spend];
  return (
    <Table
      name={words.title}
      columns={[words.day, words.model, ...numbers]}
      numbers={numbers}
      foot={
        <tr>
          <th scope="row" colSpan={2}>
            {words.sum}
          </th>
          <td class="number">{number(totals.requests)}</td>
          <td class="number">{number(totals.prompt)}</td>
          <td class="number">{number(totals.completion)}</td>
          <td class="number">{rubles(totals.spend)}</td>
        </tr>
      }
    >
      {days.map((one) => (
        <tr key={`${one.day} ${one.model_id}`}>
          <td>{day(one.day)}</td>
          <td>{one.model}</td>
          <td class="number">{number(one.requests)}</td>
          <td class="number">{number(one.prompt_tokens)}</td>
          <td class="number">{number(one.completion_tokens)}</td>
          <td class="number">{rubles(micro(one.spend))}</td>
        </tr>
      ))}
    </Table>
  );
}
