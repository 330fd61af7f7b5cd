import type { Component, Confidence, DomainSignals, Reason, ReasonCode } from './verdict.ts';

/** Terms that contribute less than this, in points of xt or in log-odds, are not mentioned. */
const MENTIONED_FROM = 0.2;
/** Fewer donors than this count as few; even more of them may include too few independent ones. */
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
  'institutions of the whole web': ({ institutionDonors = 0 }) => ({
    code: 'linked_by_institutions',
    value: institutionDonors,
  }),
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

/**
 * One reason for each term that matters, the weightiest first. Caveats come before them: that confidence is low, and
 * that some independent donors were chosen at random.
 */
export function explain(
  signals: DomainSignals,
  components: readonly Component[],
  confidence: Confidence,
): Reason[] {
  const weighty = components
    .filter(({ contribution }) => Math.abs(contribution) >= MENTIONED_FROM)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .flatMap((component) => codings[component.name]?.(signals, component) ?? []);
  const { donorCount, independent } = signals;
  const few = { code: 'few_independent_donors', value: independent } as const;
  const without = (...codes: ReasonCode[]) => weighty.filter(({ code }) => !codes.includes(code));
  const caveats = reachCaveat(signals, components);
  if (confidence === 'low' && donorCount < FEW_DONORS) {
    return [{ code: 'few_donors', value: donorCount }, ...caveats, ...without('donors', few.code)];
  }
  if (confidence === 'low') return [few, ...caveats, ...without('donors', few.code)];
  // The reason of few independent donors already gives their number.
  const isLimited = weighty.some(({ code }) => code === few.code);
  return [...caveats, ...(isLimited ? without('donors') : weighty)];
}

/**
 * If trust reaches too few domains, some voters are chosen at random, possibly from a link farm: see `reachedVote`. That
 * matters only if votes do.
 */
function reachCaveat(
  { donorCount, release }: DomainSignals,
  components: readonly Component[],
): Reason[] {
  const countsIndependent = components.some(({ name }) => name === 'independent donors');
  const isMoot = donorCount === 0 || release.votes === 0 || release.reach >= 1;
  if (!countsIndependent || isMoot) return [];
  return [{ code: 'little_reach', value: release.reach }];
}
