import { useSignal } from '@preact/signals';
import { call, type Data } from '../api/client.ts';
import { hrefOf } from '../app/routes.ts';
import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { endOfDay } from '../lib/days.ts';
import { micro } from '../lib/money.ts';
import { amountInput, amountOf } from '../ui/amount-input.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { Field } from '../ui/field.tsx';
import { Facts } from '../ui/facts.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { useSubmit } from '../ui/submit.ts';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { VoucherSheet } from './voucher-sheet.tsx';
import { w } from './words/index.ts';

export type NewVouchers = Data<'/admin/vouchers/create/'>;
type Batch = NewVouchers['batch'];

const LIST_ROWS = 100;
/** The server's limit. */
const VOUCHERS_MAX = 10_000;

/** Batches of vouchers: a form and a list; their codes are shown once. */
export function Vouchers() {
  const words = w().vouchers;
  const fresh = useSignal<NewVouchers | undefined>(undefined);
  const loaded = useLoaded((signal) => call('/admin/vouchers/', { limit: LIST_ROWS }, { signal }));
  useAskBeforeLeaving(fresh, t().codes.unsaved);
  if (fresh.value) {
    return (
      <VoucherSheet
        made={fresh.value}
        onDone={() => {
          fresh.value = undefined;
          loaded.reload();
        }}
      />
    );
  }
  return (
    <>
      <Title name={words.title} />
      <p>{words.intro}</p>
      <NewBatch onMade={(made) => (fresh.value = made)} />
      <Show of={loaded}>
        {({ batches, outstanding, outstanding_amount: amount }) => (
          <>
            <Facts
              of={[
                [words.outstanding, number(outstanding)],
                [words.outstandingAmount, rubles(micro(amount))],
              ]}
            />
            {batches.length === 0 ? <p>{words.none}</p> : <Batches batches={batches} />}
          </>
        )}
      </Show>
    </>
  );
}

function NewBatch({ onMade }: { onMade: (made: NewVouchers) => void }) {
  const words = w().vouchers;
  const { error, isBusy, onSubmit } = useSubmit(async (fields) => {
    const made = await call('/admin/vouchers/create/', {
      count: Number(fields('count')),
      amount: amountOf(fields('amount')) ?? '',
      expires_at: endOfDay(fields('expires')),
      note: fields('note'),
    });
    onMade(made);
  });
  return (
    <form class="row" onSubmit={onSubmit}>
      <Field
        label={words.count}
        name="count"
        type="number"
        min={1}
        max={VOUCHERS_MAX}
        defaultValue="10"
        required
      />
      <Field label={words.amount} name="amount" {...amountInput} required />
      <Field label={words.expires} name="expires" type="date" />
      <Field label={words.note} name="note" maxLength={200} autocomplete="off" />
      <button type="submit" disabled={isBusy.value}>
        {words.make}
      </button>
      <ErrorProblem error={error.value} />
    </form>
  );
}

function Batches({ batches }: { batches: readonly Batch[] }) {
  const words = w().vouchers;
  const numbers = [words.amount, words.count, words.redeemed, words.revoked, words.outstanding];
  return (
    <Table
      name={words.title}
      columns={[words.batch, ...numbers, words.expires, words.note]}
      numbers={numbers}
    >
      {batches.map((batch) => (
        <tr key={batch.id}>
          <th scope="row">
            <a href={hrefOf(`admin/vouchers/${batch.id}`)}>
              {`${number(batch.id)}, ${dateTime(batch.created_at)}`}
            </a>
          </th>
          <td class="number">{rubles(micro(batch.amount))}</td>
          <td class="number">{number(batch.count)}</td>
          <td class="number">{number(batch.redeemed)}</td>
          <td class="number">{number(batch.revoked)}</td>
          <td class="number">{number(batch.outstanding)}</td>
          <td>{batch.expires_at === null ? words.never : dateTime(batch.expires_at)}</td>
          <td dir="auto">{batch.note}</td>
        </tr>
      ))}
    </Table>
  );
}
