import type { TrustPoint } from '../api/types.ts';
import { riskWords } from '../../src/trust/words/labels.ts';
import { day, number, percent } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { HistoryPlot } from './history-plot.tsx';
import { Table } from '../ui/table.tsx';

/** How the score changed, and why; newest point first. */
export function History({ points }: { points: readonly TrustPoint[] }) {
  const words = t().trust;
  const numbers = [words.score, words.spam];
  return (
    <>
      <h2>{words.history}</h2>
      <HistoryPlot points={points} />
      <Table
        name={words.history}
        columns={[words.date, ...numbers, words.cause, words.release]}
        numbers={numbers}
      >
        {points.toReversed().map((point, index) => (
          <tr key={points.length - index}>
            <td class="date">{day(point.date)}</td>
            <td class="number">{number(point.xt, 1)}</td>
            <td class="number">{riskWords(point.spam / 100, words, percent)}</td>
            <td>{words.causes[point.cause]}</td>
            <td>
              {point.release}, {words.formula} {point.formula}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
