import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { dayZone, dateTime, day, number, rubles } from '../i18n/format.ts';
import { micro, sumOf } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ShowPages, usePages } from '../ui/pages.tsx';
import { Table } from '../ui/table.tsx';
import { Refund } from './refund.tsx';
import { w } from './words/index.ts';

/** Few rows per page, since usage and access follow below. */
const ROWS = 20;

type Transaction = Data<'/admin/users/transactions/'>['transactions'][number];

interface TransactionsProps {
  login: string;
  /** The records are requested again when it changes. */
  balance: number;
  /** Called after a refund. Absent: the reader may not refund. */
  onRefunded?: () => void;
}

/** The transactions of one user, newest first; charges can be refunded. */
export function Transactions({ login, balance, onRefunded }: TransactionsProps) {
  const words = w().records;
  const refunded = useSignal<number | undefined>(undefined);
  const close = () => (refunded.value = undefined);
  const pages = usePages(
    async (limit, last?: Transaction, signal?) => {
      const body = { login, limit, before: last?.id };
      const { transactions } = await call('/admin/users/transactions/', body, { signal });
      return { answer: undefined, rows: transactions };
    },
    [balance],
    ROWS,
  );
  return (
    <>
      <ShowPages of={pages} more={words.older}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <TransactionTable
              transactions={rows}
              onRefund={onRefunded && ((id) => (refunded.value = id))}
            />
          )
        }
      </ShowPages>
      {onRefunded && refunded.value !== undefined && (
        <Refund
          login={login}
          messageId={refunded.value}
          onClose={close}
          onDone={() => {
            close();
            onRefunded();
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  transactions: readonly Transaction[];
  onRefund: ((messageId: number) => void) | undefined;
}

function TransactionTable({ transactions, onRefund }: TableProps) {
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
        ...(onRefund ? [words.refund] : []),
      ]}
      numbers={numbers}
    >
      {transactions.map((one) => (
        <tr key={one.id}>
          <td>{one.id}</td>
          <td class="date">{dateTime(one.created_at)}</td>
          <td>{words.kinds[one.kind]}</td>
          <td class="number">{rubles(micro(one.amount))}</td>
          <td class="number">{rubles(micro(one.balance_after))}</td>
          <td>{one.message_id ?? '–'}</td>
          <td dir="auto">{one.made_by ?? '–'}</td>
          <td dir="auto">{one.reason ?? '–'}</td>
          {onRefund && (
            <td>
              <RefundButton of={one} among={transactions} onPress={onRefund} />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

interface RefundButtonProps {
  of: Transaction;
  /** All that are newer: refunds of a charge are among them. */
  among: readonly Transaction[];
  onPress: (messageId: number) => void;
}

/** Only for a charge of which something is left. */
function RefundButton({ of: { kind, message_id: id }, among, onPress }: RefundButtonProps) {
  const words = w().records;
  if (kind !== 'charge' || id === null) return null;
  const entries = among.filter((one) => one.message_id === id);
  if (sumOf(entries.map(({ amount }) => amount)) >= 0) return null;
  return (
    <button type="button" aria-label={words.refundOf(`${id}`)} onClick={() => onPress(id)}>
      {words.refund}
    </button>
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
