import type { ColourNumbers, SignalNumbers, SpamWeights, StandingNumbers } from './numbers.ts';
import type { EvidenceTerm } from './terms.ts';
import type { Confidence, DomainSignals } from './verdict.ts';
import type { VotingRule } from './voting.ts';

/**
 * A version of the formula: every number that turns a graph into scores, and the few functions in which versions differ.
 * Frozen once published.
 */
export interface Formula {
  version: string;
  signals: SignalNumbers;
  /** Which links count while a release is ranked. */
  voting: VotingRule;
  standing: StandingNumbers;
  spam: SpamWeights;
  /** The evidence for and against spam; a further signal is a further term. */
  evidence: readonly EvidenceTerm[];
  /** The share of xt that is taken away if spam is certain. */
  spamShare: number;
  colours: ColourNumbers;
  /** Whether a domain that is not in the graph has no verdict, instead of the one that its figures would give. */
  unknownHasNoVerdict: boolean;
  confidence: (signals: DomainSignals) => Exclude<Confidence, 'none'>;
}
