import { call } from '../api/client.ts';
import type { UsageDay } from '../api/types.ts';
import { query, setQuery } from '../app/routes.ts';
import { day, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro, sumOf } from '../lib/money.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { Keys } from './keys.tsx';
import { DayPlot } from './plot.tsx';
import { range, RangeFields } from './range.tsx';
import { Rooms } from './rooms.tsx';
import { Models } from './models.tsx';

/** What was spent in a range of days, by day, model, API key and room. */
export function Days() {
  const words = t().spend;
  const { from, to } = range();
  const modelId = Number(query.value.get('model')) || undefined;
  const loaded = useLoaded(
    (signal) => call('/account/usage/', { from, to }, { signal }),
    [from, to],
  );
  const days = loaded.data.value?.days ?? [];
  return (
    <>
      <Title name={words.title} />
      <RangeFields>
        <ModelFilter days={days} chosen={modelId} />
      </RangeFields>
      <Show of={loaded}>
        {({ days: all }) => {
          const shown = all.filter((one) => modelId === undefined || one.model_id === modelId);
          if (shown.length === 0) return <p>{words.none}</p>;
          return (
            <>
              <Totals days={shown} />
              <DayPlot days={shown} range={{ from, to }} />
              <div class="beside">
                <Models days={shown} />
                <Keys from={from} to={to} modelId={modelId} />
              </div>
              <Rooms />
              <DayTable days={shown} name={`${words.fileDays}-${from}-${to}`} />
            </>
          );
        }}
      </Show>
    </>
  );
}

/** The models of the range; a chosen model stays selected while its days are loaded. */
function ModelFilter({ days, chosen }: { days: readonly UsageDay[]; chosen: number | undefined }) {
  const words = t().spend;
  const names = new Map(days.map((one) => [one.model_id, one.model]));
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, `${chosen}`);
  return (
    <label class="field">
      {words.model}
      <select
        value={chosen ?? ''}
        onChange={(event) => setQuery({ model: event.currentTarget.value })}
      >
        <option value="">{words.allModels}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function totalsOf(days: readonly UsageDay[]) {
  return {
    requests: days.reduce((sum, one) => sum + one.requests, 0),
    prompt: days.reduce((sum, one) => sum + one.prompt_tokens, 0),
    completion: days.reduce((sum, one) => sum + one.completion_tokens, 0),
    spend: sumOf(days.map((one) => one.spend)),
  };
}

function Totals({ days }: { days: readonly UsageDay[] }) {
  const words = t().spend;
  const { requests, prompt, completion, spend } = totalsOf(days);
  return (
    <Facts
      of={[
        [words.spend, <strong key="spend">{rubles(spend)}</strong>],
        [words.requests, number(requests)],
        [words.promptTokens, number(prompt)],
        [words.completionTokens, number(completion)],
      ]}
    />
  );
}

function DayTable({ days, name }: { days: readonly UsageDay[]; name: string }) {
  const words = t().spend;
  const totals = totalsOf(days);
  const numbers = [words.requests, words.promptTokens, words.completionTokens, words.spend];
  const columns = [words.day, words.model, ...numbers];
  const rows = () => [
    columns,
    ...days.map((one) => [
      one.day,
      one.model,
      one.requests,
      one.prompt_tokens,
      one.completion_tokens,
      { micro: micro(one.spend) },
    ]),
  ];
  return (
    <section aria-labelledby="days">
      <h2 id="days">{words.byDay}</h2>
      <p>
        <CsvButton name={name} rows={rows} />
      </p>
      <Table
        name={words.title}
        columns={columns}
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
            <td class="date">{day(one.day)}</td>
            <td>{one.model}</td>
            <td class="number">{number(one.requests)}</td>
            <td class="number">{number(one.prompt_tokens)}</td>
            <td class="number">{number(one.completion_tokens)}</td>
            <td class="number">{rubles(micro(one.spend))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
