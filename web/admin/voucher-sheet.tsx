import { dateTime, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { CodeSheet } from './code-sheet.tsx';
import type { NewVouchers } from './vouchers.tsx';
import { w } from './words/index.ts';

/** The codes of a new batch. */
export function VoucherSheet({ made, onDone }: { made: NewVouchers; onDone: () => void }) {
  const words = w().vouchers;
  const { batch, vouchers } = made;
  const amount = micro(batch.amount);
  const until = batch.expires_at === null ? [] : [words.until(dateTime(batch.expires_at))];
  return (
    <CodeSheet
      title={words.sheet(number(batch.id))}
      file={`${words.file}-${batch.id}`}
      rows={[
        [words.number, words.code, words.amount],
        ...vouchers.map(({ number: at, code }) => [at, code, { micro: amount }]),
      ]}
      cards={vouchers.map(({ number: at, code }) => ({
        code,
        title: rubles(amount),
        lines: [`${location.origin}/app/account · ${number(batch.id)}/${number(at)}`, ...until],
      }))}
      onDone={onDone}
    />
  );
}
