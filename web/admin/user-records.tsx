import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { dayZone, dateTime, day, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Transaction = Data<'/admin/users/transactions/'>['transactions'][number];

const PAGE_ROWS = 20;

/** The transactions of one user, newest first. @param balance they are asked again when it changes */
export function Transactions({ login, balance }: { login: string; balance: number }) {
  const words = w().records;
  const older = useSignal<readonly Transaction[]>([]);
  const isEnd = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const page = (before: number | undefined, signal?: AbortSignal) =>
    call(
      '/admin/users/transactions/',
      { login, limit: PAGE_ROWS, before },
      signal ? { signal } : {},
    );
  const loaded = useLoaded(
    async (signal) => {
      const { transactions } = await page(undefined, signal);
      older.value = [];
      isEnd.value = transactions.length < PAGE_ROWS;
      return transactions;
    },
    [balance],
  );
  const more = async (before: number | undefined) => {
    try {
      const { transactions } = await page(before);
      older.value = [...older.value, ...transactions];
      isEnd.value = transactions.length < PAGE_ROWS;
      failure.value = undefined;
    } catch (thrown) {
      failure.value = thrown;
    }
  };
  return (
    <Show of={loaded}>
      {(newest) => {
        const all = [...newest, ...older.value];
        if (all.length === 0) return <p>{words.none}</p>;
        return (
          <>
            <TransactionTable transactions={all} />
            <ErrorProblem error={failure.value} />
            {!isEnd.value && (
              <p>
                <button type="button" onClick={() => void more(all.at(-1)?.id)}>
                  {words.older}
                </button>
              </p>
            )}
          </>
        );
      }}
    </Show>
  );
}

function TransactionTable({ transactions }: { transactions: readonly Transaction[] }) {
  const words = w().records;
  const numbers = [words.amount, words.after];
  return (
    <Table
      name={words.transactions}
      columns={[
        words.id,
        words.time,
        words.kind,
        ...numbers,
        words.message,
        words.by,
        words.reason,
      ]}
      numbers={numbers}
    >
      {transactions.map((one) => (
        <tr key={one.id}>
          <td>{one.id}</td>
          <td>{dateTime(one.created_at)}</td>
          <td>{words.kinds[one.kind]}</td>
          <td class="number">{rubles(micro(one.amount))}</td>
          <td class="number">{rubles(micro(one.balance_after))}</td>
          <td>{one.message_id ?? '–'}</td>
          <td dir="auto">{one.made_by ?? '–'}</td>
          <td dir="auto">{one.reason ?? '–'}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The spend of one user within the last 30 days. */
export function UserUsage({ login }: { login: string }) {
  const { sums, model } = w();
  const numbers = [sums.requests, sums.promptTokens, sums.completionTokens, sums.spend];
  const loaded = useLoaded((signal) => call('/admin/users/usage/', { login }, { signal }));
  return (
    <Show of={loaded}>
      {({ days, total_spend: total }) =>
        days.length === 0 ? (
          <p>{sums.none}</p>
        ) : (
          <Table
            name={w().records.usage(dayZone.value)}
            columns={[sums.day, model, ...numbers]}
            numbers={numbers}
            foot={
              <tr>
                <th scope="row" colSpan={5}>
                  {sums.total}
                </th>
                <td class="number">{rubles(micro(total))}</td>
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
        )
      }
    </Show>
  );
}
