/** Latencies by percentile as HdrHistogram draws them: each step of the x axis covers nine tenths of what was left. */
import { textAt } from './plot.ts';

export interface Curve {
  name: string;
  /** In ms, by the same percentiles for each curve. */
  values: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 380;
const AREA = { left: 64, right: 20, top: 44, bottom: 50 };
const COLOURS = ['#2da44e', '#1f6feb', '#d1242f', '#8250df'];
/** Beyond this, a run has too few answers. */
const LAST_PERCENT = 99.99;
const TICKS = [0, 90, 99, 99.9, 99.99];

export function percentilePlot(
  title: string,
  percents: readonly number[],
  curves: readonly Curve[],
): string {
  const shown = percents.filter((percent) => percent <= LAST_PERCENT);
  const most = Math.max(...curves.flatMap(({ values }) => values.slice(0, shown.length)), 1);
  const decades = Math.log10(100 / (100 - LAST_PERCENT));
  const x = (percent: number): number =>
    AREA.left + (Math.log10(100 / (100 - percent)) / decades) * (WIDTH - AREA.left - AREA.right);
  const y = (ms: number): number =>
    HEIGHT - AREA.bottom - (ms / most) * (HEIGHT - AREA.top - AREA.bottom);
  const grid = TICKS.map(
    (percent) =>
      `<path d="M${x(percent).toFixed(1)} ${AREA.top}V${HEIGHT - AREA.bottom}" stroke="#eee"/>${textAt(x(percent), HEIGHT - AREA.bottom + 18, `${percent} %`, 'middle')}`,
  );
  const levels = [0, most / 2, most].map(
    (ms) =>
      `<path d="M${AREA.left} ${y(ms).toFixed(1)}H${WIDTH - AREA.right}" stroke="#ddd"/>${textAt(AREA.left - 8, y(ms) + 4, ms.toFixed(1), 'end')}`,
  );
  const lines = curves.map(({ name, values }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '#333';
    const points = shown.map(
      (percent, at) => `${x(percent).toFixed(1)},${y(values[at] ?? 0).toFixed(1)}`,
    );
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points.join(' ')}"/>
${textAt(AREA.left + 12, AREA.top + 18 + index * 18, name, 'start', `fill="${colour}"`)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${textAt(14, 24, title, 'start', 'font-size="15" font-weight="bold"')}
${[...grid, ...levels, ...lines].join('\n')}
${textAt(WIDTH / 2, HEIGHT - 12, 'share of the sends that were answered within so many ms', 'middle')}
</svg>
`;
}
