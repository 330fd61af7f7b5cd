import type { SpamWeights } from './numbers.ts';
import type { DomainSignals, PageSignals } from './verdict.ts';

/** A summand: its contribution is value × weight. */
export interface Term {
  name: string;
  value: number;
  weight: number;
}

/**
 * A summand of the log-odds of spam.
 * @param page undefined if the page is not known
 * @returns undefined if nothing is known about its subject
 */
export type EvidenceTerm = (
  signals: DomainSignals,
  page: PageSignals | undefined,
  spam: SpamWeights,
) => Term | undefined;

const ANCHORS_FROM = 0.5;
const MANY_DOMAINS = 100;

const baseRate: EvidenceTerm = (_, __, { base }) => ({
  name: 'base rate',
  value: 1,
  weight: base,
});

const baseRateOfLists: EvidenceTerm = ({ release: { lists } }, _, { base }) => ({
  name: 'base rate of the lists',
  value: lists?.coverage ?? 0,
  weight: (lists?.odds ?? base) - base,
});

const distrustOfDonors: EvidenceTerm = ({ distrust }, _, spam) => ({
  name: 'distrust of donors',
  value: distrust,
  weight: spam.distrust,
});

const linksTowardSpam: EvidenceTerm = ({ antiTrustRank, pageRank, release }, _, spam) => ({
  name: 'links toward spam',
  value: Math.max(0, antiTrustRank - release.votes * pageRank),
  weight: spam.givesToSpam,
});

/** More institutions than this add nothing: e¹², about 160,000. */
const INSTITUTIONS_MAX = 12;

/**
 * Institutions in the whole web that link to it, as a logarithm. It only speaks in favour of a domain: most domains
 * have none, and links that others place could otherwise be used against one. For a listed domain, the operator's list
 * decides.
 */
export const institutionsOfWholeWeb: EvidenceTerm = (signals, _, { institutions }) => {
  const { institutionDonors, listed } = signals;
  if (institutionDonors === undefined || listed !== 0) return undefined;
  const value = Math.min(INSTITUTIONS_MAX, Math.log1p(institutionDonors));
  return { name: 'institutions of the whole web', value, weight: institutions };
};

/**
 * How far PageRank exceeds TrustRank, squared and relative to PageRank: near 0 both for small sites that trust does not
 * reach and for large sites with slightly less trust than votes.
 */
export function untrustedShare({ pageRank, trustRank }: DomainSignals): number {
  const gap = Math.max(0, pageRank - trustRank);
  return gap === 0 ? 0 : gap ** 2 / pageRank;
}

export const votesWithoutTrust: EvidenceTerm = (signals, _, { untrustedVotes }) => ({
  name: 'votes without trust',
  value: untrustedShare(signals),
  weight: untrustedVotes * signals.release.votes * signals.release.reach,
});

const isListed: EvidenceTerm = (signals, _, { listed }) => {
  const weight = [0, listed.trusted, listed.spam][signals.listed] ?? 0;
  return { name: 'listed', value: weight === 0 ? 0 : 1, weight };
};

const hiddenLinks: EvidenceTerm = (_, page, spam) =>
  page && {
    name: 'hidden links',
    value: Math.min(1, page.hiddenLinks / 10),
    weight: spam.page.hiddenLinks,
  };

const manyExternalLinks: EvidenceTerm = (_, page, spam) =>
  page && {
    name: 'many external links',
    value: Math.min(1, page.externalDomains / MANY_DOMAINS),
    weight: spam.page.manyLinks,
  };

const repeatedAnchors: EvidenceTerm = (_, page, spam) =>
  page && {
    name: 'repeated anchors',
    value: Math.max(0, page.repeatedAnchorShare - ANCHORS_FROM),
    weight: spam.page.repeatedAnchors,
  };

/** The terms from the lists and from the graph around the domain. */
export const graphTerms = [baseRate, baseRateOfLists, distrustOfDonors, linksTowardSpam, isListed];

export const pageTerms = [hiddenLinks, manyExternalLinks, repeatedAnchors];
