import '../ui/shared.ts';
import type { AreaProps } from '../app/screens.ts';
import { t } from '../i18n/index.ts';
import { Parts } from '../ui/parts.tsx';
import { Days } from './days.tsx';
import { rangeText } from './range.tsx';
import { Transactions } from './transactions.tsx';

const BOOK = 'spend/transactions';

/** What the user spent, and the account's book. */
export function Spend({ rest }: AreaProps) {
  const words = t().spend;
  const isBook = rest === 'transactions';
  return (
    <>
      <Parts
        title={words.title}
        of={{ spend: words.byDay, [BOOK]: words.transactions }}
        current={isBook ? BOOK : 'spend'}
        query={rangeText()}
      />
      {isBook ? <Transactions /> : <Days />}
    </>
  );
}
