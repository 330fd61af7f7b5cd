import type { Formula } from './formula.ts';
import { explain } from './reasons.ts';
import type {
  Colour,
  Component,
  Confidence,
  DomainSignals,
  PageSignals,
  Score,
} from './verdict.ts';

const ANCHORS_FROM = 0.5;
const MANY_DOMAINS = 100;

/**
 * The score of one domain by a version of the formula: docs/trust-formula.md explains each term.
 * @param signals undefined without a release: then there is no verdict
 * @param page undefined when the page is not known
 */
export function score(
  signals: DomainSignals | undefined,
  page: PageSignals | undefined,
  formula: Formula,
): Score {
  if (!signals) return unknown(formula);
  const evidence = spamEvidence(signals, page, formula);
  const p = 1 / (1 + Math.exp(-sumOf(evidence)));
  const points = standingPoints(signals, formula);
  const share = formula.spamShare;
  const contribution = -sumOf(points) * share * p;
  points.push({ name: 'spam', unit: 'points', value: p, weight: share, contribution });
  const xt = Math.round(Math.min(10, Math.max(0, sumOf(points))) * 10) / 10;
  const spam = Math.round(100 * p);
  const components = [...points, ...evidence];
  const confidence = confidenceOf(signals, formula);
  return {
    xt,
    spam,
    colour: colourOf(xt, spam, formula),
    confidence,
    components,
    reasons: explain(signals, components, confidence),
    formula: formula.version,
  };
}

/** The terms of standing in points of xt, each by its share of the sum under the exponent. */
function standingPoints(signals: DomainSignals, { standing }: Formula): Component[] {
  const { votes, reach } = signals.release;
  const trust = standing.trust * reach;
  const all = trust + standing.pageRank + standing.donors;
  const known = signals.donorCount + signals.acceptorCount > 0 ? 1 : 0;
  const terms: Term[] = [
    ['trust rank', signals.trustRank, (votes * trust) / all],
    ['page rank', signals.pageRank, (votes * standing.pageRank) / all],
    ['donors', signals.donors, (votes * standing.donors) / all],
    ['neutral', standing.neutral * known, 1 - votes],
  ];
  const sum = terms.reduce((total, [, value, weight]) => total + value * weight, 0);
  const points = sum > 0 ? (10 * sum ** standing.exponent) / sum : 0;
  return terms.map(([name, value, weight]) => ({
    name,
    unit: 'points',
    value,
    weight,
    contribution: value * weight * points,
  }));
}

type Term = [name: string, value: number, weight: number];

/**
 * How far PageRank exceeds TrustRank, squared and relative to PageRank: near 0 both for small sites that trust does not
 * reach and for great sites with a little less trust than votes.
 */
export function votesWithoutTrust({ pageRank, trustRank }: DomainSignals): number {
  const gap = Math.max(0, pageRank - trustRank);
  return gap === 0 ? 0 : gap ** 2 / pageRank;
}

function spamEvidence(
  signals: DomainSignals,
  page: PageSignals | undefined,
  { spam }: Formula,
): Component[] {
  const { votes, reach, lists } = signals.release;
  const untrusted = votesWithoutTrust(signals);
  const gives = Math.max(0, signals.antiTrustRank - votes * signals.pageRank);
  const listed = [0, spam.listed.trusted, spam.listed.spam][signals.listed] ?? 0;
  const terms: Term[] = [
    ['base rate', 1, spam.base],
    ['base rate of the lists', lists?.coverage ?? 0, (lists?.odds ?? spam.base) - spam.base],
    ['distrust of donors', signals.distrust, spam.distrust],
    ['links toward spam', gives, spam.givesToSpam],
    ['votes without trust', untrusted, spam.untrustedVotes * votes * reach],
    ['listed', listed === 0 ? 0 : 1, listed],
  ];
  if (page) {
    const manyDomains = Math.min(1, page.externalDomains / MANY_DOMAINS);
    const repeated = Math.max(0, page.repeatedAnchorShare - ANCHORS_FROM);
    terms.push(
      ['hidden links', Math.min(1, page.hiddenLinks / 10), spam.page.hiddenLinks],
      ['many external links', manyDomains, spam.page.manyLinks],
      ['repeated anchors', repeated, spam.page.repeatedAnchors],
    );
  }
  return terms.map(([name, value, weight]) => ({
    name,
    unit: 'log-odds',
    value,
    weight,
    contribution: value * weight,
  }));
}

function colourOf(xt: number, spam: number, { colours }: Formula): Colour {
  if (xt <= colours.orangeUpTo || spam > colours.orangeSpamAbove) return 'ор';
  return xt > colours.greenAbove && spam <= colours.greenSpamMax ? 'зел' : 'жел';
}

/** High only with many donors whose votes are reliable. */
function confidenceOf({ donorCount, release }: DomainSignals, formula: Formula): Confidence {
  const { lowBelow, highFrom } = formula.confidence;
  if (donorCount < lowBelow) return 'low';
  return donorCount >= highFrom && release.votes >= 0.5 ? 'high' : 'medium';
}

function unknown(formula: Formula): Score {
  return {
    xt: 0,
    spam: 0,
    colour: 'жел',
    confidence: 'none',
    components: [],
    reasons: [{ code: 'no_release', value: null }],
    formula: formula.version,
  };
}

function sumOf(components: readonly Component[]): number {
  return components.reduce((sum, { contribution }) => sum + contribution, 0);
}
