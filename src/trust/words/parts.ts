import type { Component, Reason } from '../score/verdict.ts';
import type { SiteFacts, TrustSentences } from './words.ts';

/** A part of the score: its points, with one decimal, and the sentence that says where they come from. */
export interface Part {
  points: number;
  why: string;
}

/** The terms of each part, in the order of the report. */
const parts = {
  trust: ['trust rank'],
  links: ['page rank', 'donors'],
  start: ['neutral'],
  independent: ['independent donors'],
  spam: ['spam'],
} as const;
type Name = keyof typeof parts;

/** The terms that the ceiling for few independent donors limits, including the start. */
export const standingTerms = [...parts.trust, ...parts.links, ...parts.start];

/** The reasons that the parts of the score explain; the others concern the risk of spam, or are caveats. */
const explainedByParts: ReadonlySet<Reason['code']> = new Set([
  'trust_rank',
  'page_rank',
  'donors',
  'neutral',
  'base_rate',
  'few_donors',
  'few_independent_donors',
]);
const caveats: ReadonlySet<Reason['code']> = new Set(['links_of_platform', 'little_reach']);

/**
 * What the score is made of, in a few parts that add up to it exactly: each is rounded together with the previous ones.
 * A part that adds nothing is left out, except for links and the risk of spam. Without a release, the list is empty.
 */
export function partsOf(
  record: { components: readonly Component[]; donors: number },
  words: TrustSentences,
  site: SiteFacts,
): Part[] {
  const { components, donors } = record;
  const sentences: Record<Name, (points: number) => string> = {
    trust: () => words.why.trust_rank(valueOf(components, 'trust rank'), site),
    links: () => (donors === 0 ? words.why.few_donors(0, site) : words.why.donors(donors, site)),
    start: () => words.why.neutral(1 - (termOf(components, 'neutral')?.weight ?? 0), site),
    independent: () =>
      words.why.few_independent_donors(valueOf(components, 'independent donors'), site),
    spam: (points) =>
      words.spamRisk({
        ...spamRiskOf(components),
        isExplained: site.namesSpam,
        isFree: points === 0,
      }),
  };
  if (components.length === 0) return [];
  let sum = 0;
  return (Object.keys(parts) as Name[]).flatMap((name) => {
    const before = tenthOf(sum);
    sum += pointsOf(components, parts[name]);
    const points = tenthOf(tenthOf(sum) - before);
    // Parts of every report: who links, and the risk.
    const isExplained = points !== 0 || name === 'links' || name === 'spam';
    return isExplained ? [{ points, why: sentences[name](points) }] : [];
  });
}

/** The sentences for the reasons that no part explains. */
export function otherReasons(reasons: readonly Reason[]): { caveats: Reason[]; ofSpam: Reason[] } {
  const others = reasons.filter(({ code }) => !explainedByParts.has(code) && code !== 'no_release');
  return {
    caveats: others.filter(({ code }) => caveats.has(code)),
    ofSpam: others.filter(({ code }) => !caveats.has(code)),
  };
}

export const termOf = (components: readonly Component[], of: string) =>
  components.find(({ name }) => name === of);

const valueOf = (components: readonly Component[], of: string): number =>
  termOf(components, of)?.value ?? 0;

export const pointsOf = (components: readonly Component[], names: readonly string[]): number =>
  components
    .filter(({ unit, name }) => unit === 'points' && names.includes(name))
    .reduce((sum, { contribution }) => sum + contribution, 0);

/** The risk of spam, and that of a site about which nothing is known. */
function spamRiskOf(components: readonly Component[]): { share: number; start: number } {
  const odds = components
    .filter(({ name }) => name === 'base rate' || name === 'base rate of the lists')
    .reduce((sum, { contribution }) => sum + contribution, 0);
  return {
    share: wholePercent(valueOf(components, 'spam')),
    start: wholePercent(1 / (1 + Math.exp(-odds))),
  };
}

export const tenthOf = (value: number): number => Math.round(10 * value) / 10;

const wholePercent = (share: number): number => Math.round(100 * share) / 100;
