import type { UsageDay } from '../api/types.ts';
import { day, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';
import { SERIES_MAX, StackedBars } from '../ui/stacked-bars.tsx';
import { daysOf, type Range } from '../lib/days.ts';
import { byModel } from './models.tsx';

/** The spend of each day as a bar with a part for each model; days without spend are gaps. */
export function DayPlot({ days, range }: { days: readonly UsageDay[]; range: Range }) {
  const words = t().spend;
  const models = byModel(days);
  const named = models.length > SERIES_MAX ? models.slice(0, SERIES_MAX - 1) : models;
  const place = new Map(named.map(({ id }, index) => [id, index]));
  const series = named.map(({ name }) => name);
  if (named.length < models.length) series.push(words.others);
  const bars = new Map(daysOf(range).map((date) => [date, series.map(() => 0)]));
  for (const one of days) {
    const part = place.get(one.model_id) ?? named.length;
    const bar = bars.get(one.day);
    if (bar) bar[part] = (bar[part] ?? 0) + micro(one.spend);
  }
  return (
    <StackedBars
      title={words.plot}
      series={series}
      bars={[...bars].map(([date, values]) => ({ name: day(date), values }))}
      format={rubles}
    />
  );
}
