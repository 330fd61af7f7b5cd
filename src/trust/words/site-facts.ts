import { colourByRule, type Reason } from '../score/verdict.ts';
import { HIGH_FROM_VOTES } from '../score/confidence.ts';
import { isInstitution } from '../score/seeds.ts';
import { otherReasons, pointsOf, standingTerms, tenthOf, termOf } from './parts.ts';
import { colourRule, type ReportRecord } from './sentences.ts';
import type { SiteFacts } from './words.ts';

/** The facts that the sentences for a record's reasons need besides their values. */
export function siteFactsOf(
  record: Pick<ReportRecord, 'domain' | 'colour' | 'spam' | 'donors' | 'components'> & {
    reasons: readonly Reason[];
  },
): SiteFacts {
  const { domain, donors, reasons, components } = record;
  const has = (of: Reason['code']) => reasons.some(({ code }) => code === of);
  const isListedSpam = has('listed_as_spam');
  const votes = 1 - (termOf(components, 'neutral')?.weight ?? 0);
  return {
    donors,
    isListedSpam,
    isSource: has('listed_as_trusted') || (isInstitution(domain) && !isListedSpam),
    donorsLinkToSpam: has('donors_link_to_spam'),
    linksTell: votes > 0,
    isRough: votes < HIGH_FROM_VOTES || has('little_reach'),
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
    without: without === colour ? null : { xt, colour: without },
  };
}
