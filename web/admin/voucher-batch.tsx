import { call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Facts } from '../ui/facts.tsx';
import { ShowPages, usePages } from '../ui/pages.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { UserLink } from './overview.tsx';
import { w } from './words/index.ts';

type Shown = Data<'/admin/vouchers/show/'>;
type Voucher = Shown['vouchers'][number];

/** One batch of vouchers: who redeemed which, and the revocation of the remaining ones. */
export function VoucherBatch({ id }: { id: number }) {
  const words = w().vouchers;
  const { error, isBusy, run } = useAction();
  const pages = usePages(async (limit, last?: Voucher, signal?) => {
    const body = { id, limit, after: last?.number };
    const { batch, vouchers } = await call('/admin/vouchers/show/', body, { signal });
    return { answer: batch, rows: vouchers };
  });
  const revoke = (one?: number) => {
    if (!confirm(one === undefined ? `${words.revokeAll}?` : words.confirmOne(number(one)))) return;
    void run(async () => {
      const { revoked } = await call('/admin/vouchers/revoke/', { id, number: one });
      announce(words.revokedNow(number(revoked)));
      pages.reload();
    });
  };
  return (
    <>
      <Title name={words.sheet(number(id))} />
      <ErrorProblem error={error.value} />
      <ShowPages of={pages} more={words.more}>
        {({ answer: batch, rows }) => (
          <>
            <BatchFacts batch={batch} />
            {batch.outstanding > 0 && (
              <p>
                <button
                  type="button"
                  class="danger"
                  disabled={isBusy.value}
                  onClick={() => revoke()}
                >
                  {words.revokeAll}
                </button>
              </p>
            )}
            <VoucherTable vouchers={rows} onRevoke={revoke} />
          </>
        )}
      </ShowPages>
    </>
  );
}

function BatchFacts({ batch }: { batch: Shown['batch'] }) {
  const words = w().vouchers;
  return (
    <>
      {batch.note !== '' && <p dir="auto">{batch.note}</p>}
      <Facts
        of={[
          [words.amount, rubles(micro(batch.amount))],
          [words.count, number(batch.count)],
          [words.redeemed, number(batch.redeemed)],
          [words.revoked, number(batch.revoked)],
          [words.outstanding, number(batch.outstanding)],
          [words.madeBy, <span dir="auto">{batch.made_by}</span>],
          [words.expires, batch.expires_at === null ? words.never : dateTime(batch.expires_at)],
        ]}
      />
    </>
  );
}

interface VoucherTableProps {
  vouchers: readonly Voucher[];
  onRevoke: (number: number) => void;
}

function VoucherTable({ vouchers, onRevoke }: VoucherTableProps) {
  const words = w().vouchers;
  return (
    <Table name={words.title} columns={[words.number, w().state, words.by, words.at, words.revoke]}>
      {vouchers.map((one) => (
        <tr key={one.number}>
          <th scope="row">{number(one.number)}</th>
          <td>{words.states[one.state]}</td>
          <td>{one.login !== null && <UserLink login={one.login} />}</td>
          <td>{one.redeemed_at !== null && dateTime(one.redeemed_at)}</td>
          <td>
            {one.state === 'outstanding' && (
              <button
                type="button"
                aria-label={`${words.revoke}: ${one.number}`}
                onClick={() => onRevoke(one.number)}
              >
                {words.revoke}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
