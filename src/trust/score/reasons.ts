import type { Component, Confidence, DomainSignals } from './verdict.ts';

/** Terms that contribute less than this, in points of xt or in log-odds, are not mentioned. */
const MENTIONED_FROM = 0.2;

type Wording = (signals: DomainSignals, component: Component) => string;

const wordings: Readonly<Record<string, Wording>> = {
  'trust rank': (_, { value }) =>
    `Trust flows to the domain from the seeds (${percent(value)} of the scale).`,
  'page rank': (_, { value }) =>
    `The domain is well linked in the graph (${percent(value)} of the scale).`,
  donors: ({ donorCount }) =>
    donorCount === 1
      ? 'One domain links to it, weighted by its own standing.'
      : `${donorCount} domains link to it, weighted by their own standing.`,
  neutral: ({ release }) =>
    `Links say little about quality in this graph (reliability ${percent(release.votes)}), so a neutral standing is assumed.`,
  'base rate of the lists': (_, { value }) =>
    `The operator's lists cover much of what this graph links to (coverage ${percent(value)}), so the share of the shorter list is used as the base rate of spam.`,
  'distrust of donors': (_, { value }) =>
    value > 0
      ? 'Its donors link to listed spam more than to trusted domains.'
      : 'Its donors link to trusted domains more than to listed spam.',
  'links toward spam': () =>
    'Its links lead toward listed spam more than its standing would explain.',
  'votes without trust': () => 'It has many incoming links without trust behind them.',
  listed: ({ listed }) =>
    listed === 2
      ? "It is on the operator's list of spam domains."
      : "It is on the operator's list of trusted domains.",
  'hidden links': () => 'Its home page has links that readers cannot see.',
  'many external links': () => 'Its home page links to very many domains.',
  'repeated anchors': () => 'Links on its home page repeat the same text for different sites.',
};

/** One sentence per term that matters, the weightiest first; a caveat comes before them if confidence is low. */
export function explain(
  signals: DomainSignals,
  components: readonly Component[],
  confidence: Confidence,
): string[] {
  const reasons = components
    .filter(({ contribution }) => Math.abs(contribution) >= MENTIONED_FROM)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .flatMap((component) => wordings[component.name]?.(signals, component) ?? []);
  return confidence === 'low' ? [caveat(signals), ...reasons] : reasons;
}

function caveat({ donorCount }: DomainSignals): string {
  const links =
    donorCount === 0
      ? 'No domain in the graph links'
      : donorCount === 1
        ? 'Only one domain in the graph links'
        : `Only ${donorCount} domains in the graph link`;
  return `${links} to it, so little is certain.`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
