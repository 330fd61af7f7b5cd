import { call, type Data } from '../api/client.ts';
import type { Transaction } from '../api/types.ts';
import { hrefOf } from '../app/routes.ts';
import { dayZone, dateTime, isoTime, rubles, signedRubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import type { Cell } from '../lib/csv.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { allRows, ShowPages, usePages } from '../ui/pages.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { range, RangeFields } from './range.tsx';

type Statement = Data<'/account/transactions/'>;

/** The book of the account between two days, like a bank statement. */
export function Transactions() {
  const words = t().spend;
  const { from, to } = range();
  const read = async (limit: number, last?: Transaction, signal?: AbortSignal) => {
    const body = { from, to, limit, before: last?.id };
    const answer = await call('/account/transactions/', body, { signal });
    return { answer, rows: answer.transactions };
  };
  const pages = usePages(read, [from, to]);
  return (
    <>
      <Title name={words.transactions} />
      <RangeFields />
      <ShowPages of={pages} more={words.more}>
        {({ answer: statement, rows, isEnd }) =>
          rows.length === 0 ? (
            <p>{words.noTransactions}</p>
          ) : (
            <>
              <Balances statement={statement} />
              <p>
                <CsvButton
                  name={`${words.fileTransactions}-${from}-${to}`}
                  rows={async () => csvRows(await allRows(read))}
                />
              </p>
              <TransactionTable transactions={rows} statement={statement} isWhole={isEnd} />
            </>
          )
        }
      </ShowPages>
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

function csvRows(transactions: readonly Transaction[]): Cell[][] {
  const words = t().spend;
  const head = [words.number, words.time('UTC'), words.kind, words.amount, words.balanceAfter];
  return [
    [...head, words.message, words.room, words.reason, words.madeBy],
    ...transactions.map(csvRow),
  ];
}

function csvRow(one: Transaction): Cell[] {
  return [
    one.id,
    isoTime(one.created_at),
    t().spend.kinds[one.kind],
    { micro: micro(one.amount) },
    { micro: micro(one.balance_after) },
    one.message_id,
    one.room_id,
    one.reason,
    one.made_by,
  ];
}
