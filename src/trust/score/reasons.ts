import type { Component, Confidence, DomainSignals } from './verdict.ts';

/** Terms below this many points of xt or of log-odds go without saying. */
const WORTH_SAYING = 0.2;

type Wording = (signals: DomainSignals, component: Component) => string;

const wordings: Readonly<Record<string, Wording>> = {
  'trust rank': (_, { value }) =>
    `Trust flows to it from the seeds (${percent(value)} of the scale).`,
  'page rank': (_, { value }) => `It is well linked in the graph (${percent(value)} of the scale).`,
  donors: ({ donorCount }) =>
    donorCount === 1
      ? 'One domain links to it, counted by its own standing.'
      : `${donorCount} domains link to it, counted by their own standing.`,
  neutral: ({ release }) =>
    `Votes say little in this graph (believed to ${percent(release.votes)}), so a neutral standing is assumed.`,
  'base rate of the lists': (_, { value }) =>
    `The lists cover much of what is linked in this graph (${percent(value)}), so the share of the shorter one is taken for that of spam.`,
  'distrust of donors': (_, { value }) =>
    value > 0
      ? 'Its donors link to listed spam more than to trusted domains.'
      : 'Its donors link to trusted domains more than to listed spam.',
  'links toward spam': () => 'Its links lead toward listed spam more than its standing explains.',
  'votes without trust': () => 'It has many votes that no trusted domain stands behind.',
  listed: ({ listed }) =>
    listed === 2
      ? "It is on the operator's list of spam."
      : "It is on the operator's list of trust.",
  'hidden links': () => 'Its page has links that readers cannot see.',
  'many external links': () => 'Its page links to very many domains.',
  'repeated anchors': () => 'The links of its page repeat the same text.',
};

/** Sentences for the terms that matter, the weightiest first, after what limits the verdict. */
export function explain(
  signals: DomainSignals,
  components: readonly Component[],
  confidence: Confidence,
): string[] {
  const { donorCount } = signals;
  const reasons = components
    .filter(({ contribution }) => Math.abs(contribution) >= WORTH_SAYING)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .flatMap((component) => wordings[component.name]?.(signals, component) ?? []);
  if (confidence !== 'low') return reasons;
  const few =
    donorCount === 0
      ? 'No domain of the graph links'
      : donorCount === 1
        ? 'One domain of the graph links'
        : `Only ${donorCount} domains of the graph link`;
  return [`${few} to it, so little is certain.`, ...reasons];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
