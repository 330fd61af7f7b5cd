/** Bars of days, each a stack of its parts. The table beside it has the same numbers for people who can't see it. */

/** A part of a bar. */
export interface Stack {
  /** The name of the bar, shown when the pointer is on it. */
  name: string;
  /** A value for each series, in the order of the names. */
  values: readonly number[];
}

interface StackedBarsProps {
  /** What the plot shows. */
  title: string;
  /** The names of the parts, the lowest first; at most `SERIES_MAX`. */
  series: readonly string[];
  bars: readonly Stack[];
  /** The form in which a value is written. */
  format: (value: number) => string;
}

/** More parts can't be distinguished by colour. */
export const SERIES_MAX = 6;

const WIDTH = 720;
const HEIGHT = 180;
/** The share of its space that a bar fills. */
const BAR_SHARE = 0.8;

export function StackedBars({ title, series, bars, format }: StackedBarsProps) {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(...totals, 0);
  const place = WIDTH / Math.max(bars.length, 1);
  return (
    <figure class="plot">
      <figcaption>
        {title}
        <span class="small"> {format(most)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {bars.map(({ name, values }, index) => (
          <g key={name}>
            <title>{`${name}: ${format(totals[index] ?? 0)}`}</title>
            <rect class="hit" x={index * place} y={0} width={place} height={HEIGHT} />
            {partsOf(values, most).map(({ y, height, part }) => (
              <rect
                key={part}
                class={`series-${part}`}
                x={index * place + (place * (1 - BAR_SHARE)) / 2}
                y={y}
                width={place * BAR_SHARE}
                height={height}
              />
            ))}
          </g>
        ))}
      </svg>
      <p class="ends small">
        <span>{bars[0]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </p>
      <ul class="legend">
        {series.map((name, part) => (
          <li key={name}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`series-${part}`} width={10} height={10} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Where the parts of a bar stand, the first at the bottom. */
function partsOf(values: readonly number[], most: number) {
  let below = 0;
  return values.flatMap((value, part) => {
    if (value <= 0) return [];
    const height = (value / most) * HEIGHT;
    below += height;
    return [{ part, height, y: HEIGHT - below }];
  });
}
