import type { Component, Confidence, DomainSignals, Reason, ReasonCode } from './verdict.ts';

/** Terms that contribute less than this, in points of xt or in log-odds, are not mentioned. */
const MENTIONED_FROM = 0.2;
/** Fewer donors than this are said to be few; more of them may still be too few independent ones. */
const FEW_DONORS = 3;

type Coding = (signals: DomainSignals, component: Component) => Reason;

/** A reason without a value. */
const plain = (code: ReasonCode): Reason => ({ code, value: null });

const codings: Readonly<Record<string, Coding>> = {
  'trust rank': (_, { value }) => ({ code: 'trust_rank', value }),
  'page rank': (_, { value }) => ({ code: 'page_rank', value }),
  donors: ({ donorCount }) => ({ code: 'donors', value: donorCount }),
  neutral: ({ release }) => ({ code: 'neutral', value: release.votes }),
  'base rate of the lists': (_, { value }) => ({ code: 'base_rate', value }),
  'distrust of donors': (_, { value }) =>
    plain(value > 0 ? 'donors_link_to_spam' : 'donors_link_to_trusted'),
  'links toward spam': () => plain('links_toward_spam'),
  'votes without trust': () => plain('votes_without_trust'),
  'independent donors': ({ independent }) => ({
    code: 'few_independent_donors',
    value: independent,
  }),
  listed: ({ listed }) => plain(listed === 2 ? 'listed_as_spam' : 'listed_as_trusted'),
  'hidden links': () => plain('hidden_links'),
  'many external links': () => plain('many_external_links'),
  'repeated anchors': () => plain('repeated_anchors'),
};

/** One reason per term that matters, the weightiest first; a caveat comes before them if confidence is low. */
export function explain(
  signals: DomainSignals,
  components: readonly Component[],
  confidence: Confidence,
): Reason[] {
  const reasons = components
    .filter(({ contribution }) => Math.abs(contribution) >= MENTIONED_FROM)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .flatMap((component) => codings[component.name]?.(signals, component) ?? []);
  if (confidence !== 'low') return reasons;
  const { donorCount, independent } = signals;
  if (donorCount < FEW_DONORS) return [{ code: 'few_donors', value: donorCount }, ...reasons];
  const code = 'few_independent_donors';
  return [{ code, value: independent }, ...reasons.filter((reason) => reason.code !== code)];
}

const sentences: Readonly<Record<ReasonCode, (value: number) => string>> = {
  trust_rank: (value) =>
    `Trust flows to the domain from the seeds (${percent(value)} of the scale).`,
  page_rank: (value) => `The domain is well linked in the graph (${percent(value)} of the scale).`,
  donors: (count) =>
    count === 1
      ? 'One domain links to it, weighted by its own standing.'
      : `${count} domains link to it, weighted by their own standing.`,
  neutral: (votes) =>
    `Links say little about quality in this graph (reliability ${percent(votes)}), so a neutral standing is assumed.`,
  base_rate: (value) =>
    `The operator's lists cover much of what this graph links to (coverage ${percent(value)}), so the share of the shorter list is used as the base rate of spam.`,
  donors_link_to_spam: () => 'Its donors link to listed spam more than to trusted domains.',
  donors_link_to_trusted: () => 'Its donors link to trusted domains more than to listed spam.',
  links_toward_spam: () =>
    'Its links lead toward listed spam more than its standing would explain.',
  votes_without_trust: () => 'It has many incoming links without trust behind them.',
  listed_as_spam: () => "It is on the operator's list of spam domains.",
  listed_as_trusted: () => "It is on the operator's list of trusted domains.",
  hidden_links: () => 'Its home page has links that readers cannot see.',
  many_external_links: () => 'Its home page links to very many domains.',
  repeated_anchors: () => 'Links on its home page repeat the same text for different sites.',
  few_donors: (count) => `${fewDonors(count)} to it, so little is certain.`,
  links_of_platform: () =>
    'The graph has no record of the site itself, only of the platform that hosts it: the links, and so the score, are those of the platform; the page is that of the site.',
  few_independent_donors: (count) =>
    count === 0
      ? 'Trust reaches none of the domains that link to it, so their links count for little.'
      : `Trust reaches it over no more than ${count} separate ${count === 1 ? 'way' : 'ways'}, however many domains link to it.`,
  no_release: () => 'No release of the link graph is loaded, so there is no verdict.',
};

/** A reason in English, for people. */
export function sentenceOf({ code, value }: Reason): string {
  return sentences[code](value ?? 0);
}

function fewDonors(count: number): string {
  if (count === 0) return 'No domain in the graph links';
  return count === 1
    ? 'Only one domain in the graph links'
    : `Only ${count} domains in the graph link`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
