import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { announce } from '../app/announcer.tsx';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { useAction } from '../ui/action.ts';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { UserLink } from './overview.tsx';
import { w } from './words/index.ts';

type Shown = Data<'/admin/vouchers/show/'>;
type Voucher = Shown['vouchers'][number];

const PAGE = 100;

/** One batch of vouchers: who redeemed which, and the revocation of those that are left. */
export function VoucherBatch({ id }: { id: number }) {
  const words = w().vouchers;
  const more = useSignal<readonly Voucher[]>([]);
  const { error, isBusy, run } = useAction();
  const page = (after: number | undefined, signal?: AbortSignal) =>
    call('/admin/vouchers/show/', { id, limit: PAGE, after }, signal && { signal });
  const loaded = useLoaded(async (signal) => {
    const first = await page(undefined, signal);
    more.value = [];
    return first;
  });
  const revoke = async (one?: number) => {
    if (!confirm(one === undefined ? words.confirmAll : words.confirmOne(number(one)))) return;
    const { revoked } = await call('/admin/vouchers/revoke/', { id, number: one });
    announce(words.revokedNow(number(revoked)));
    loaded.reload();
  };
  return (
    <>
      <Title name={words.sheet(number(id))} />
      <ErrorProblem error={error.value} />
      <Show of={loaded}>
        {({ batch, vouchers }) => {
          const all = [...vouchers, ...more.value];
          return (
            <>
              <BatchFacts batch={batch} />
              {batch.outstanding > 0 && (
                <p>
                  <button
                    type="button"
                    class="danger"
                    disabled={isBusy.value}
                    onClick={() => void run(() => revoke())}
                  >
                    {words.revokeAll}
                  </button>
                </p>
              )}
              <VoucherTable vouchers={all} onRevoke={(one) => void run(() => revoke(one))} />
              {all.length < batch.count && (
                <button
                  type="button"
                  onClick={() =>
                    void run(async () => {
                      const next = await page(all.at(-1)?.number);
                      more.value = [...more.value, ...next.vouchers];
                    })
                  }
                >
                  {words.more}
                </button>
              )}
            </>
          );
        }}
      </Show>
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
    <Table
      name={words.title}
      columns={[words.number, w().state, words.by, words.at, words.revoke]}
      numbers={[words.number]}
    >
      {vouchers.map((one) => (
        <tr key={one.number}>
          <th scope="row" class="number">
            {number(one.number)}
          </th>
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
