import type { ComponentChildren } from 'preact';

/** A term of a sum. */
export interface Term {
  name: string;
  value: number;
}

interface WaterfallProps {
  caption: ComponentChildren;
  /** The heads of the two columns. */
  heads: readonly [term: string, value: string];
  terms: readonly Term[];
  /** The name of the sum. */
  sum: string;
  format: (value: number) => string;
  /** Whether a larger sum is worse. */
  isBad?: boolean;
}

/** The width of a plot, in percent. */
const WIDTH = 100;
const HEIGHT = 12;
/** A bar of zero still shows its position. */
const THINNEST = 0.5;

/** Terms that add up: each bar begins where the previous one ends. The numbers beside them say the same. */
export function Waterfall({ caption, heads, terms, sum, format, isBad = false }: WaterfallProps) {
  const steps = stepsOf(terms);
  const total = steps.at(-1)?.to ?? 0;
  const low = Math.min(0, ...steps.map(({ to }) => to));
  const high = Math.max(0, ...steps.map(({ to }) => to));
  const scale = WIDTH / (high - low || 1);
  const bar = (from: number, to: number, shade: string) => (
    <svg
      class="bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line class="axis" x1={-low * scale} x2={-low * scale} y1={0} y2={HEIGHT} />
      <rect
        class={shade}
        x={(Math.min(from, to) - low) * scale}
        width={Math.max(Math.abs(to - from) * scale, THINNEST)}
        y={1}
        height={HEIGHT - 2}
      />
    </svg>
  );
  return (
    <table class="bars">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heads[0]}</th>
          <th scope="col" class="number">
            {heads[1]}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {steps.map(({ name, from, to }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{format(to - from)}</td>
            <td>{bar(from, to, shadeOf(to - from, isBad))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{sum}</th>
          <td class="number">{format(total)}</td>
          <td>{bar(0, total, 'whole')}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Terms of zero are neither better nor worse. */
function shadeOf(value: number, isBad: boolean): string {
  if (value === 0) return 'nothing';
  return value > 0 === isBad ? 'worse' : 'better';
}

function stepsOf(terms: readonly Term[]) {
  let at = 0;
  return terms.map(({ name, value }) => {
    const from = at;
    at += value;
    return { name, from, to: at };
  });
}
