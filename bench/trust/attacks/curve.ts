import type { Colour } from '../../../src/trust/score/verdict.ts';
import type { Result } from './batches.ts';
import { reaches } from './report.ts';

/** The cheapest way found to a colour, for those who buy at most so many links. */
export interface Price {
  bought: number;
  colour: Colour;
  /** Fewest domains first; undefined where no attack of the catalogue gets there. */
  cheapest: Pick<Result, 'cost' | 'outcome'> | undefined;
}

/** Links, or entries of a list, that somebody buys at most. */
export const LINKS = [0, 1, 3, 10, 30, 100, 150];

/** The published curve: an entry of a list costs as much as a link. */
export function pricesOf(results: readonly Pick<Result, 'cost' | 'outcome'>[]): Price[] {
  return (['жел', 'зел'] as const).flatMap((colour) =>
    LINKS.map((bought) => {
      const affordable = results.filter(
        (result) => result.cost.bought + result.cost.listed <= bought && reaches(result, colour),
      );
      const [cheapest] = affordable.toSorted(
        ({ cost: left }, { cost: right }) =>
          left.domains - right.domains || left.pages - right.pages || left.bought - right.bought,
      );
      return { bought, colour, cheapest };
    }),
  );
}

export function priceWords({ cheapest }: Price): string {
  if (!cheapest) return 'not found';
  const { domains, expired, named, pages, bought, listed } = cheapest.cost;
  const parts = [
    domains === 1 ? '1 domain' : `${domains} domains`,
    ...(expired > 0 ? [`${expired} of them expired`] : []),
    ...(named > 0 ? [`${named} of them named like institutions`] : []),
    ...(pages === domains ? [] : [`${pages} pages`]),
    ...(bought > 0 ? [`${bought} bought`] : []),
    ...(listed > 0 ? [`${listed} listed`] : []),
  ];
  return parts.join(', ');
}
