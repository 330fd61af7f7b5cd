import type { TrustRecord } from '../api/types.ts';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Waterfall } from '../ui/waterfall.tsx';

const units = ['points', 'log-odds'] as const;

/**
 * The terms of the score and of the spam's log-odds that matter: each list adds up to the number in its last row.
 * Without terms, as for an unknown site, there is no list.
 */
export function Contributions({ record }: { record: TrustRecord }) {
  const words = t().trust;
  return (
    <div class="beside">
      {units
        .filter((unit) => termsOf(record, unit).length > 0)
        .map((unit) => (
          <Waterfall
            key={unit}
            caption={words.units[unit]}
            heads={[words.term, words.contribution]}
            terms={termsOf(record, unit).map(({ name, contribution }) => ({
              name: words.terms[name] ?? name,
              value: contribution,
            }))}
            sum={words.total}
            format={signed}
            isBad={unit === 'log-odds'}
          />
        ))}
    </div>
  );
}

const DIGITS = 3;

/** Leaves out terms that are displayed as zero. */
function termsOf({ components }: TrustRecord, of: (typeof units)[number]) {
  return components.filter(
    ({ unit, contribution }) => unit === of && Number(contribution.toFixed(DIGITS)) !== 0,
  );
}

/** A number with its sign. @param decimals the least number of them */
export function signed(value: number, decimals = 0): string {
  const rounded = Number(value.toFixed(DIGITS));
  return (rounded > 0 ? '+' : '') + number(rounded, decimals).replace('-', '−');
}
