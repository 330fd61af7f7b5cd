import type { TrustPoint } from '../api/types.ts';
import { day, number } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

const WIDTH = 720;
const HEIGHT = 160;
const MARGIN = 12;
const SCORE_MAX = 10;
const RADIUS = 5;
/** The scores with a line and a number, from the top. */
const scale = [SCORE_MAX, SCORE_MAX / 2, 0];

/** How the score changed over time. Each point shows its cause; the table below says the same. */
export function HistoryPlot({ points }: { points: readonly TrustPoint[] }) {
  const words = t().trust;
  const times = points.map(({ date }) => Date.parse(date));
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first;
  const placed = points.map((point, index) => ({
    ...point,
    // Points of one day are drawn side by side.
    x:
      MARGIN +
      (WIDTH - 2 * MARGIN) * xShare(index, points.length, (times[index] ?? 0) - first, span),
    y: HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * point.xt) / SCORE_MAX,
  }));
  const line = placed.map(({ x, y }, index) => {
    const before = placed[index - 1];
    return before ? `H${x}V${y}` : `M${x},${y}`;
  });
  return (
    <figure class="plot">
      <figcaption>{words.plot}</figcaption>
      <div class="scaled">
        <p class="scale small" aria-hidden="true">
          {scale.map((score) => (
            <span key={score}>{number(score)}</span>
          ))}
        </p>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words.plot}>
          {scale.map((score) => {
            const y = HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * score) / SCORE_MAX;
            return <line key={score} class="grid" x1={0} x2={WIDTH} y1={y} y2={y} />;
          })}
          <path class="line" d={line.join('')} />
          {placed.map(({ x, y, date, xt, cause, release, formula }, index) => (
            <circle key={`${date} ${index}`} class={`cause-${cause}`} cx={x} cy={y} r={RADIUS}>
              <title>
                {`${day(date)}: ${number(xt, 1)}, ${words.causes[cause]} (${release}, ${words.formula} ${formula})`}
              </title>
            </circle>
          ))}
        </svg>
      </div>
      <p class="ends small">
        {span > 0 && <span>{day(points[0]?.date ?? '')}</span>}
        <span>{day(points.at(-1)?.date ?? '')}</span>
      </p>
      <ul class="legend">
        {[...new Set(points.map(({ cause }) => cause))].map((cause) => (
          <li key={cause}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <circle class={`cause-${cause}`} cx={5} cy={5} r={4} />
            </svg>
            {words.causes[cause]}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** By time; by number if all points are of one day. */
function xShare(index: number, count: number, since: number, span: number): number {
  return span > 0 ? since / span : (index + 0.5) / count;
}
