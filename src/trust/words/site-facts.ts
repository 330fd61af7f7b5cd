import { colourByRule, type Colour, type Component, type Reason } from '../score/verdict.ts';
import { otherReasons, pointsOf, standingTerms, tenthOf } from './parts.ts';
import { colourRule } from './sentences.ts';
import type { SiteFacts } from './words.ts';

/** The facts that the sentences for a record's reasons need besides their values. */
export function siteFactsOf(record: {
  colour: Colour;
  spam: number;
  donors: number;
  reasons: readonly Reason[];
  components: readonly Component[];
}): SiteFacts {
  const { donors, reasons } = record;
  return {
    donors,
    isListedSpam: reasons.some(({ code }) => code === 'listed_as_spam'),
    namesSpam: otherReasons(reasons).ofSpam.length > 0,
    ceiling: ceilingOf(record),
  };
}

/** The limit that few independent donors set; null if it does not change anything that is shown. */
function ceilingOf({ components, colour, spam }: Parameters<typeof siteFactsOf>[0]) {
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
