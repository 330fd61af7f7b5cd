import type { Formula } from './formula.ts';
import type { StandingNumbers } from './numbers.ts';
import { explain } from './reasons.ts';
import type { Term } from './terms.ts';
import {
  colourByRule,
  type Colour,
  type Component,
  type DomainSignals,
  type PageSignals,
  type Score,
} from './verdict.ts';

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
  const confidence = formula.confidence(signals);
  return {
    xt,
    spam,
    colour: colourOf(xt, spam, isInGraph(signals), formula),
    confidence,
    components,
    reasons: explain(signals, components, confidence),
    formula: formula.version,
  };
}

/** The terms of standing in points of xt, each in proportion to its share of the sum in the exponent. */
function standingPoints(signals: DomainSignals, { standing }: Formula): Component[] {
  const { votes, reach } = signals.release;
  const trust = standing.trust * reach;
  const all = trust + standing.pageRank + standing.donors;
  const byVotes: Term[] = [
    { name: 'trust rank', value: signals.trustRank, weight: (votes * trust) / all },
    { name: 'page rank', value: signals.pageRank, weight: (votes * standing.pageRank) / all },
    { name: 'donors', value: signals.donors, weight: (votes * standing.donors) / all },
  ];
  const neutral = isInGraph(signals) ? standing.neutral : 0;
  const terms = [...byVotes, { name: 'neutral', value: neutral, weight: 1 - votes }];
  const sum = terms.reduce(add, 0);
  const points = sum > 0 ? (10 * sum ** standing.exponent) / sum : 0;
  const components = terms.map((term) => componentOf(term, 'points', points));
  if (standing.support.length === 0) return components;
  const most = votes * mostStanding(signals.independent, standing);
  const left = sum - Math.max(0, byVotes.reduce(add, 0) - most);
  const contribution = 10 * (left ** standing.exponent - sum ** standing.exponent);
  const value = signals.independent;
  return [
    ...components,
    { name: 'independent donors', unit: 'points', value, weight: most, contribution },
  ];
}

/** The greatest standing with this many independent donors. */
function mostStanding(independent: number, { support }: StandingNumbers): number {
  const next = support.findIndex(([donors]) => donors > independent);
  const [donors, standing] = support.at(next < 0 ? -1 : next) ?? [0, 1];
  const [fewer, least] = support[next - 1] ?? [donors, standing];
  if (donors === fewer) return standing;
  return least + ((independent - fewer) / (donors - fewer)) * (standing - least);
}

const add = (total: number, { value, weight }: Term): number => total + value * weight;

function componentOf(term: Term, unit: Component['unit'], scale: number): Component {
  return { ...term, unit, contribution: term.value * term.weight * scale };
}

function spamEvidence(
  signals: DomainSignals,
  page: PageSignals | undefined,
  { evidence, spam }: Formula,
): Component[] {
  return evidence
    .flatMap((term) => term(signals, page, spam) ?? [])
    .map((term) => componentOf(term, 'log-odds', 1));
}

/** A domain without links is not in the graph. */
function isInGraph({ donorCount, acceptorCount }: DomainSignals): boolean {
  return donorCount + acceptorCount > 0;
}

function colourOf(xt: number, spam: number, isKnown: boolean, formula: Formula): Colour {
  const { colours, unknownHasNoVerdict } = formula;
  const hasVerdict = isKnown || !unknownHasNoVerdict || spam > colours.orangeSpamAbove;
  return hasVerdict ? colourByRule(xt, spam, colours) : 'жел';
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
