import { colourByRule, type Colour, type Component, type Reason } from '../score/verdict.ts';
import { otherReasons, pointsOf, standingTerms, tenthOf, termOf } from './parts.ts';
import { colourRule } from './sentences.ts';
import type { ToldSite } from './words.ts';

/** What the sentences for the reasons of a record need beside their values. */
export function toldSiteOf(record: {
  colour: Colour;
  spam: number;
  donors: number;
  reasons: readonly Reason[];
  components: readonly Component[];
}): ToldSite {
  const { donors, reasons, components } = record;
  return {
    donors,
    isListedSpam: reasons.some(({ code }) => code === 'listed_as_spam'),
    tellsSpam: otherReasons(reasons).ofSpam.length > 0,
    ceiling: ceilingOf(record),
    weights: weightsOf(components),
  };
}

/** The ceiling that few independent donors set; null where it takes off nothing that is shown. */
function ceilingOf({ components, colour, spam }: Parameters<typeof toldSiteOf>[0]) {
  const before = pointsOf(components, standingTerms);
  const after = before + pointsOf(components, ['independent donors']);
  const points = tenthOf(after);
  if (points >= tenthOf(before)) return null;
  const leftBySpam = after > 0 ? 1 + pointsOf(components, ['spam']) / after : 1;
  const xt = tenthOf(Math.min(10, before * leftBySpam));
  const without = colourByRule(xt, spam, colourRule);
  return {
    points,
    without: without === colour ? null : { points: tenthOf(before), colour: without },
  };
}

/** How much of the score depends on trust and on links: shares of 1. Where links tell little, all sites get the rest. */
function weightsOf(components: readonly Component[]): ToldSite['weights'] {
  const weightOf = (of: string) => termOf(components, of)?.weight ?? 0;
  return {
    trust: weightOf('trust rank'),
    links: weightOf('page rank') + weightOf('donors'),
  };
}
