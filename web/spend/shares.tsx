import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { percent, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

interface SharesProps {
  title: string;
  /** The heading of the rows' names. */
  first: string;
  rows: readonly { id: string; name: ComponentChildren; spend: number }[];
  /** Micro-rubles; the sum of the rows by default. */
  total?: number;
  children?: ComponentChildren;
}

/** Parts of a spend, with bars of their shares. */
export function Shares({ title, first, rows, total, children }: SharesProps) {
  const words = t().spend;
  const id = useId();
  const sum = total ?? rows.reduce((added, { spend }) => added + spend, 0);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" class="number">
              {words.spend}
            </th>
            <th scope="col" class="number">
              {words.share}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              <td class="number">{rubles(row.spend)}</td>
              <td class="number">{sum > 0 ? percent(row.spend / sum) : ''}</td>
              <td>
                <meter min={0} max={sum || 1} value={row.spend} aria-hidden="true" />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.sum}</th>
            <td class="number">{rubles(sum)}</td>
            <td />
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
