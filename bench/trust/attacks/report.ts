import type { Result } from './batches.ts';
import type { Colour } from '../../../src/trust/score/verdict.ts';
import type { Shown } from './judge.ts';

type Cell = string | number;

export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) return;
  console.log(`\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

export function wordsOf({ xt, spam, colour }: Shown): string {
  return `${xt.toFixed(2)}, ${spam.toFixed(0)} % ${colour}`;
}

/** An attack with its cost and what it reaches. */
export function lineOf({ attack, cost, outcome: { best } }: Result): Cell[] {
  const { domains, pages, bought, listed } = cost;
  return [attack.name, domains, pages, bought, listed, best ? wordsOf(best) : ''];
}

export const lineHead = ['attack', 'domains', 'pages', 'bought', 'listed', 'best of its sites'];

const order: Record<Colour, number> = { ор: 0, жел: 1, зел: 2 };

/** Whether the attack's best site has at least this colour. */
export function reaches({ outcome: { best } }: Pick<Result, 'outcome'>, colour: Colour): boolean {
  return best !== undefined && order[best.colour] >= order[colour];
}

/** For each family: how many attacks there are, how many are yellow or green, and the cheapest green one. */
export function printFamilies(results: readonly Result[]): void {
  const families = Map.groupBy(results, ({ attack }) => attack.family);
  printTable(
    ['family', 'attacks', 'жел', 'зел', 'cheapest зел'],
    [...families].map(([family, members]) => {
      const green = members.filter((result) => reaches(result, 'зел'));
      const yellow = members.filter((result) => reaches(result, 'жел'));
      const [cheapest] = green.toSorted(byCost);
      const words = cheapest ? `${cheapest.attack.name} (${cheapest.cost.domains} domains)` : '';
      return [family, members.length, yellow.length - green.length, green.length, words];
    }),
  );
}

/** For each number of expired domains: how many attacks are green, with how many links bought besides. */
export function printExpired(results: readonly Result[]): void {
  const taken = results.filter(({ cost }) => cost.expired > 0);
  const counts = Map.groupBy(taken, ({ cost }) => cost.expired);
  printTable(
    ['expired domains', 'links bought', 'attacks', 'зел'],
    [...counts]
      .toSorted(([left], [right]) => left - right)
      .flatMap(([expired, members]) =>
        [...Map.groupBy(members, ({ cost }) => cost.bought)].map(([bought, some]) => [
          expired,
          bought,
          some.length,
          some.filter((result) => reaches(result, 'зел')).length,
        ]),
      ),
  );
}

/** By what is bought or listed, then by domains, then by pages. */
export function byCost({ cost: left }: Result, { cost: right }: Result): number {
  return (
    left.bought + left.listed - right.bought - right.listed ||
    left.domains - right.domains ||
    left.pages - right.pages
  );
}
