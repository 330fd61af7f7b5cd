import type { TrustRecord } from '../api/types.ts';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

const units = ['points', 'log-odds'] as const;

/** The terms of the score and of the spam's log-odds: each list adds up to the number in its last row. */
export function Contributions({ record }: { record: TrustRecord }) {
  const words = t().trust;
  return (
    <>
      {units.map((unit) => {
        const terms = record.components.filter((one) => one.unit === unit);
        const sum = terms.reduce((total, { contribution }) => total + contribution, 0);
        const largest = Math.max(...terms.map(({ contribution }) => Math.abs(contribution)), 0);
        return (
          <table class="bars" key={unit}>
            <caption>{words.units[unit]}</caption>
            <thead>
              <tr>
                <th scope="col">{words.term}</th>
                <th scope="col" class="number">
                  {words.contribution}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {terms.map(({ name, contribution }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td class="number">{signed(contribution)}</td>
                  <td>
                    <meter
                      min={0}
                      max={largest || 1}
                      value={Math.abs(contribution)}
                      aria-hidden="true"
                    />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{words.sum}</th>
                <td class="number">{signed(sum)}</td>
                <td />
              </tr>
            </tfoot>
          </table>
        );
      })}
    </>
  );
}

const DIGITS = 3;

function signed(value: number): string {
  const rounded = Number(value.toFixed(DIGITS));
  return rounded > 0 ? `+${number(rounded)}` : number(rounded).replace('-', '−');
}
