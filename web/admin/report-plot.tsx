import { call } from '../api/client.ts';
import { day, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { StackedBars } from '../ui/stacked-bars.tsx';
import { daysOf } from '../lib/days.ts';
import type { Report } from './report.tsx';
import { w } from './words/index.ts';

/** The longest period of one report. */
const DAYS_MAX = 366;

interface ReportPlotProps {
  from: string;
  to: string;
  login: string | undefined;
}

/** The revenue of each day as a bar: the part paid to providers, the margin, and the part that is not known. */
export function ReportPlot({ from, to, login }: ReportPlotProps) {
  const words = w().report;
  const loaded = useLoaded(
    (signal) =>
      call('/admin/report/', { from, to, login, by: ['day'], limit: DAYS_MAX }, { signal }),
    [from, to, login],
  );
  return (
    <Show of={loaded}>
      {({ rows }) => {
        const found = new Map(rows.map((row) => [row.day, row]));
        return (
          <StackedBars
            title={words.plot}
            series={[words.cost, words.margin, words.ofUnknown]}
            bars={daysOf({ from, to }).map((date) => ({
              name: day(date),
              values: valuesOf(found.get(date)),
            }))}
            format={rubles}
          />
        );
      }}
    </Show>
  );
}

/** A loss is not part of the revenue: then all of the revenue goes to providers. */
function valuesOf(row: Report['rows'][number] | undefined): number[] {
  if (!row) return [0, 0, 0];
  const unknown = micro(row.unknown_cost_revenue);
  const margin = Math.max(0, micro(row.margin));
  return [micro(row.revenue) - unknown - margin, margin, unknown];
}
