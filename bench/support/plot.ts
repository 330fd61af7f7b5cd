/** A figure of lines over time, one panel below the other, as a self-contained SVG. */
export interface Panel {
  title: string;
  /** One value for each moment; NaN if it is missing. */
  values: readonly number[];
  /** Digits after the decimal point on the axis. */
  digits?: number;
}

const WIDTH = 760;
const PANEL = { height: 110, top: 26, bottom: 12 };
const LEFT = 64;
const RIGHT = 16;
const FOOT = 40;

/** @param minutes of each value, from the beginning */
export function plotOf(
  title: string,
  minutes: readonly number[],
  panels: readonly Panel[],
): string {
  const each = PANEL.top + PANEL.height + PANEL.bottom;
  const height = FOOT + panels.length * each + FOOT;
  const end = Math.max(minutes.at(-1) ?? 0, 1);
  const x = (minute: number): number => LEFT + (minute / end) * (WIDTH - LEFT - RIGHT);
  const drawn = panels.map((panel, index) => panelOf(panel, minutes, x, FOOT + index * each));
  const foot = FOOT + panels.length * each + 4;
  const ticks = ticksUpTo(end).map((minute) => textAt(x(minute), foot, String(minute), 'middle'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${textAt(LEFT, 22, title, 'start', 'font-size="15" font-weight="bold"')}
${drawn.join('\n')}
${ticks.join('\n')}
${textAt((LEFT + WIDTH - RIGHT) / 2, foot + 20, 'minutes', 'middle')}
</svg>
`;
}

function panelOf(
  { title, values, digits = 0 }: Panel,
  minutes: readonly number[],
  x: (minute: number) => number,
  top: number,
): string {
  const known = values.filter((value) => !Number.isNaN(value));
  const most = roundUp(Math.max(...known, 0));
  const base = top + PANEL.top + PANEL.height;
  const y = (value: number): number => base - (value / most) * PANEL.height;
  const points = values.flatMap((value, index) =>
    Number.isNaN(value) ? [] : [`${place(x(minutes[index] ?? 0))},${place(y(value))}`],
  );
  const grid = [0, most / 2, most].map(
    (value) =>
      `<path d="M${LEFT} ${place(y(value))}H${WIDTH - RIGHT}" stroke="#ddd"/>${textAt(LEFT - 8, y(value) + 4, value.toFixed(value === 0 ? 0 : digits), 'end')}`,
  );
  return `${textAt(LEFT, top + 16, title, 'start')}
${grid.join('\n')}
<polyline fill="none" stroke="#1f6feb" stroke-width="1.5" points="${points.join(' ')}"/>`;
}

export function textAt(x: number, y: number, words: string, anchor: string, more = ''): string {
  const safe = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}" ${more}>${safe}</text>`;
}

/** A tenth of a pixel is precise enough. */
function place(pixels: number): string {
  return pixels.toFixed(1);
}

/** The next larger number among 1, 2, 4, 5 and 10 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** Five to ten whole minutes, or all. */
function ticksUpTo(end: number): number[] {
  const step = [1, 2, 5, 10, 20, 30, 60].find((minutes) => end / minutes <= 8) ?? 120;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}
