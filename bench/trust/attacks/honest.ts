import { degree } from '../../../src/trust/graph/rows.ts';
import { meanOf } from '../support/statistics.ts';
import type { Check } from './acceptance.ts';
import { printTable } from './report.ts';
import type { Judged } from './judge.ts';
import type { Web } from './web.ts';

/** What a formula says of all honest sites that anybody links to. */
export interface Honest {
  xt: Float64Array;
  spamAbove7: number;
  colours: Record<string, number>;
}

const SPAM_MAX = 7;

export function honestOf(web: Web, judged: Judged): Honest {
  const linked: number[] = [];
  for (let node = 0; node < web.graph.nodes; node++) {
    if (degree(web.graph.in, node) > 0) linked.push(node);
  }
  const colours: Record<string, number> = { зел: 0, жел: 0, ор: 0 };
  let spam = 0;
  const xt = Float64Array.from(linked, (node) => {
    const shown = judged.show(node);
    colours[shown.colour] = (colours[shown.colour] ?? 0) + 1 / linked.length;
    if (Math.round(shown.spam) > SPAM_MAX) spam += 1 / linked.length;
    return shown.xt;
  });
  return { xt, spamAbove7: spam, colours };
}

/** How far a version leaves honest sites alone, beside the first. */
export function checkHonest(own: Honest, first: Honest): Check[] {
  const [mean, meanOfFirst] = [meanOf([...own.xt]), meanOf([...first.xt])];
  const order = spearman(own.xt, first.xt);
  return [
    {
      name: 'honest sites with spam above 7 %',
      measured: `${(100 * own.spamAbove7).toFixed(2)} %`,
      passes: own.spamAbove7 <= 0.001,
    },
    {
      name: "Spearman to the first version's xt",
      measured: order.toFixed(3),
      passes: order > 0.93,
    },
    {
      name: 'mean xt of honest sites',
      measured: `${mean.toFixed(2)}, first version ${meanOfFirst.toFixed(2)}`,
      passes: Math.abs(mean - meanOfFirst) <= 0.2,
    },
  ];
}

/** The share of honest sites of each colour, in percent. */
export function printColours(own: Honest, first: Honest): void {
  const colours = Object.keys(own.colours);
  const sharesOf = (of: Honest) =>
    colours.map((each) => (100 * (of.colours[each] ?? 0)).toFixed(2));
  printTable(
    ['honest sites, %', ...colours],
    [
      ['this version', ...sharesOf(own)],
      ['the first', ...sharesOf(first)],
    ],
  );
}

function spearman(left: Float64Array, right: Float64Array): number {
  const [a, b] = [ranksOf(left), ranksOf(right)];
  const middle = (left.length + 1) / 2;
  let [both, ofLeft, ofRight] = [0, 0, 0];
  for (const [index, rank] of a.entries()) {
    const [x, y] = [rank - middle, (b[index] ?? 0) - middle];
    both += x * y;
    ofLeft += x * x;
    ofRight += y * y;
  }
  return both / Math.sqrt(ofLeft * ofRight);
}

/** Ties share their mean rank. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, index) => index);
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1;
    for (const index of order.subarray(start, end)) ranks[index] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
