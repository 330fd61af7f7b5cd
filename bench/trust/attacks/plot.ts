import type { Colour } from '../../../src/trust/score/verdict.ts';
import { LINKS, pricesOf, type Price } from './curve.ts';
import type { Result } from './batches.ts';

/** The attacks on one web. */
export interface AttackedWeb {
  name: string;
  results: readonly Pick<Result, 'cost' | 'outcome'>[];
}

const WIDTH = 760;
const LEFT = 96;
const RIGHT = 16;
const PANEL = { top: 34, height: 170, gap: 40 };
const HEAD = 56;
/** Domains at the upper end of the axis, as a power of ten; above it is what was not found. */
const POWERS = 5;
const PAINT = ['#1f6feb', '#c2410c', '#0f766e', '#7c3aed'];
const TITLES: Partial<Record<Colour, string>> = {
  жел: 'yellow (жел): fewest registered domains',
  зел: 'green (зел): fewest registered domains',
};

/** The published curve as an SVG: for each colour, the domains that it costs by the links that are bought. */
export function plotPrices(version: string, webs: readonly AttackedWeb[]): string {
  const colours = ['жел', 'зел'] as const;
  const each = PANEL.top + PANEL.height + PANEL.gap;
  const height = HEAD + colours.length * each;
  const panels = colours.map((colour, index) => panelOf(colour, webs, HEAD + index * each));
  const legend = webs.map(({ name }, index) => {
    const x = LEFT + index * 130;
    return `<circle cx="${x}" cy="42" r="4" fill="${PAINT[index]}"/>${text(x + 10, 46, name, 'start')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${text(LEFT, 22, `Formula ${version}: the cheapest way to each colour`, 'start', 'font-size="15" font-weight="bold"')}
${legend.join('\n')}
${panels.join('\n')}
</svg>
`;
}

function panelOf(colour: Colour, webs: readonly AttackedWeb[], top: number): string {
  const base = top + PANEL.top + PANEL.height;
  const rows = POWERS + 1;
  const y = (power: number): number => base - (power / rows) * PANEL.height;
  const x = (place: number): number =>
    LEFT + ((place + 0.5) / LINKS.length) * (WIDTH - LEFT - RIGHT);
  const grid = Array.from({ length: rows + 1 }, (_, power) => {
    const words = power === rows ? 'not found' : (10 ** power).toLocaleString('en');
    return `<path d="M${LEFT} ${y(power).toFixed(1)}H${WIDTH - RIGHT}" stroke="#ddd"/>${text(LEFT - 8, y(power) + 4, words, 'end')}`;
  });
  const lines = webs.map(({ results }, index) => {
    // Side by side, so that equal prices do not hide each other.
    const shift = (index - (webs.length - 1) / 2) * 10;
    const points = pricesOf(results)
      .filter((price) => price.colour === colour)
      .map((price, place) => [x(place) + shift, y(powerOf(price, rows))] as const);
    const path = points.map(([left, down]) => `${left.toFixed(1)},${down.toFixed(1)}`);
    const dots = points.map(
      ([left, down]) =>
        `<circle cx="${left.toFixed(1)}" cy="${down.toFixed(1)}" r="4" fill="${PAINT[index]}"/>`,
    );
    return `<polyline fill="none" stroke="${PAINT[index]}" stroke-opacity="0.4" points="${path.join(' ')}"/>${dots.join('')}`;
  });
  const ticks = LINKS.map((links, place) => text(x(place), base + 16, String(links), 'middle'));
  return [
    text(LEFT, top + 18, TITLES[colour] ?? colour, 'start'),
    ...grid,
    ...lines,
    ...ticks,
    text((LEFT + WIDTH - RIGHT) / 2, base + 32, 'links bought or listed, at most', 'middle'),
  ].join('\n');
}

function powerOf({ cheapest }: Price, notFound: number): number {
  return cheapest ? Math.log10(cheapest.cost.domains) : notFound;
}

function text(x: number, y: number, words: string, anchor: string, more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" ${more}>${words}</text>`;
}
