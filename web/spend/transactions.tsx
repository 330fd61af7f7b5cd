import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, type Data } from '../api/client.ts';
import type { Transaction } from '../api/types.ts';
import { hrefOf } from '../app/routes.ts';
import { dayZone, dateTime, rubles, signedRubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import type { Cell } from '../lib/csv.ts';
import { useAction } from '../ui/action.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import type { Range } from '../lib/days.ts';
import { range, RangeFields } from './range.tsx';

const PAGE = 100;
const CSV_PAGE = 1000;

type Statement = Data<'/account/transactions/'>;

/** The book of the account between two days, like a bank statement. */
export function Transactions() {
  const words = t().spend;
  const { from, to } = range();
  const loaded = useLoaded(
    (signal) => call('/account/transactions/', { from, to, limit: PAGE }, { signal }),
    [from, to],
  );
  return (
    <>
      <Title name={words.transactions} />
      <RangeFields />
      <Show of={loaded}>
        {(statement) => <Pages key={`${from} ${to}`} first={statement} range={{ from, to }} />}
      </Show>
    </>
  );
}

function Pages({ first, range: { from, to } }: { first: Statement; range: Range }) {
  const words = t().spend;
  const more = useSignal<readonly Transaction[]>([]);
  const isEnd = useSignal(first.transactions.length < PAGE);
  const { error, run } = useAction();
  useEffect(() => {
    more.value = [];
    isEnd.value = first.transactions.length < PAGE;
  }, [first]);
  const all = [...first.transactions, ...more.value];
  const loadMore = async () => {
    const before = all.at(-1)?.id;
    const page = await call('/account/transactions/', { from, to, limit: PAGE, before });
    more.value = [...more.value, ...page.transactions];
    isEnd.value = page.transactions.length < PAGE;
  };
  if (all.length === 0) return <p>{words.noTransactions}</p>;
  return (
    <>
      <Balances statement={first} />
      <p>
        <CsvButton
          name={`${words.fileTransactions}-${from}-${to}`}
          rows={() => csvRows({ from, to })}
        />
      </p>
      <TransactionTable transactions={all} statement={first} isWhole={isEnd.value} />
      <ErrorProblem error={error.value} />
      {!isEnd.value && (
        <button type="button" onClick={() => void run(loadMore)}>
          {words.more}
        </button>
      )}
    </>
  );
}

function sumOfStatement(statement: Statement): number {
  return micro(statement.closing_balance) - micro(statement.opening_balance);
}

function Balances({ statement }: { statement: Statement }) {
  const words = t().spend;
  return (
    <Facts
      of={[
        [words.opening, rubles(micro(statement.opening_balance))],
        [words.sumOfAll, signedRubles(sumOfStatement(statement))],
        [words.closing, rubles(micro(statement.closing_balance))],
      ]}
    />
  );
}

interface TransactionTableProps {
  transactions: readonly Transaction[];
  statement: Statement;
  /** Whether all transactions of the range are shown. */
  isWhole: boolean;
}

function TransactionTable({ transactions, statement, isWhole }: TransactionTableProps) {
  const words = t().spend;
  const numbers = [words.amount, words.balanceAfter];
  const sum = isWhole
    ? sumOfStatement(statement)
    : transactions.reduce((added, { amount }) => added + micro(amount), 0);
  return (
    <Table
      name={words.transactions}
      columns={[
        words.time(dayZone.value),
        words.kind,
        ...numbers,
        words.message,
        words.reason,
        words.madeBy,
      ]}
      numbers={numbers}
      foot={
        <tr>
          <th scope="row" colSpan={2}>
            {isWhole ? words.sum : words.sumOfShown}
          </th>
          <td class="number">{signedRubles(sum)}</td>
          <td colSpan={4} />
        </tr>
      }
    >
      {transactions.map((one) => (
        <tr key={one.id}>
          <td class="date">{dateTime(one.created_at)}</td>
          <td>{words.kinds[one.kind]}</td>
          <td class="number">{signedRubles(micro(one.amount))}</td>
          <td class="number">{rubles(micro(one.balance_after))}</td>
          <td>
            <MessageLink of={one} />
          </td>
          <td dir="auto">{one.reason}</td>
          <td dir="auto">{one.made_by}</td>
        </tr>
      ))}
    </Table>
  );
}

function MessageLink({ of: { message_id: id, room_id: room } }: { of: Transaction }) {
  if (id === null) return null;
  if (room === null) return <>{id}</>;
  return <a href={`${hrefOf(`chat/${room}`)}?message=${id}`}>{t().spend.messageOf(`${id}`)}</a>;
}

/** All transactions of the range, read by pages. */
async function csvRows({ from, to }: Range): Promise<Cell[][]> {
  const words = t().spend;
  const head = [words.number, words.time('UTC'), words.kind, words.amount, words.balanceAfter];
  const rows: Cell[][] = [[...head, words.message, words.room, words.reason, words.madeBy]];
  for (let before: number | undefined; ;) {
    const ask = { from, to, limit: CSV_PAGE, before };
    const { transactions } = await call('/account/transactions/', ask);
    for (const one of transactions) rows.push(csvRow(one));
    before = transactions.at(-1)?.id;
    if (before === undefined || transactions.length < CSV_PAGE) return rows;
  }
}

function csvRow(one: Transaction): Cell[] {
  return [
    one.id,
    new Date(one.created_at * 1000).toISOString().replace('.000', ''),
    t().spend.kinds[one.kind],
    { micro: micro(one.amount) },
    { micro: micro(one.balance_after) },
    one.message_id,
    one.room_id,
    one.reason,
    one.made_by,
  ];
}
