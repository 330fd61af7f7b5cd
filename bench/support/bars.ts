/** Horizontal bars with their values, as a self-contained SVG. */
import { textAt } from './plot.ts';

export interface Bar {
  name: string;
  value: number;
  /** The text before the bar. */
  label: string;
  /** Drawn in the stronger colour. */
  isOurs: boolean;
}

const WIDTH = 760;
const LEFT = 230;
const RIGHT = 90;
const HEAD = 44;
const ROW = 30;
const BAR = 18;

export function barsOf(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const height = HEAD + bars.length * ROW + 14;
  const drawn = bars.map(({ name, value, label, isOurs }, index) => {
    const top = HEAD + index * ROW;
    const width = Math.max(1, (value / most) * (WIDTH - LEFT - RIGHT));
    return `${textAt(LEFT - 8, top + BAR - 4, name, 'end')}
<rect x="${LEFT}" y="${top}" width="${width.toFixed(1)}" height="${BAR}" fill="${isOurs ? '#1f6feb' : '#9aa7b5'}"/>
${textAt(LEFT + width + 6, top + BAR - 4, label, 'start')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${textAt(14, 24, title, 'start', 'font-size="15" font-weight="bold"')}
${drawn.join('\n')}
</svg>
`;
}
