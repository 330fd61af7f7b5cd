import '../ui/shared.ts';
import { hrefOf } from '../app/routes.ts';
import type { AreaProps } from '../app/screens.ts';
import { t } from '../i18n/index.ts';
import { Days } from './days.tsx';
import { rangeText } from './range.tsx';
import { Transactions } from './transactions.tsx';

/** What the user spent, and the book that it stands in. */
export function Spend({ rest }: AreaProps) {
  const words = t().spend;
  const isBook = rest === 'transactions';
  const query = rangeText();
  return (
    <>
      <nav class="parts" aria-label={words.title}>
        <a href={hrefOf('spend') + query} aria-current={isBook ? undefined : 'page'}>
          {words.byDay}
        </a>
        <a href={hrefOf('spend/transactions') + query} aria-current={isBook ? 'page' : undefined}>
          {words.transactions}
        </a>
      </nav>
      {isBook ? <Transactions /> : <Days />}
    </>
  );
}
