import { dateTime, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Title } from '../ui/title.tsx';
import type { NewVouchers } from './vouchers.tsx';
import { w } from './words/index.ts';

/** The codes of a new batch, to print, to save and to hand out: the server does not show them again. */
export function VoucherSheet({ made, onDone }: { made: NewVouchers; onDone: () => void }) {
  const words = w().vouchers;
  const { batch, vouchers } = made;
  const until = batch.expires_at === null ? '' : words.until(dateTime(batch.expires_at));
  return (
    <>
      <Title name={words.sheet(number(batch.id))} />
      <p class="notice" role="status">
        {words.once}
      </p>
      <p class="unprinted">
        <button type="button" class="primary" onClick={() => print()}>
          {words.print}
        </button>{' '}
        <CsvButton
          name={`${words.file}-${batch.id}`}
          rows={() => [
            [words.number, words.code, words.amount],
            ...vouchers.map(({ number: at, code }) => [at, code, { micro: micro(batch.amount) }]),
          ]}
        />{' '}
        <button type="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
      <ul class="sheet">
        {vouchers.map(({ number: at, code }) => (
          <li key={at}>
            <strong>{rubles(micro(batch.amount))}</strong>
            <code>{code}</code>
            <span class="small">
              {`${t().product} · ${location.origin}/app/account · ${number(batch.id)}/${number(at)}`}
            </span>
            {until !== '' && <span class="small">{until}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
