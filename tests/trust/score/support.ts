import { INDEPENDENT_MAX } from '../../../src/trust/rank/mark-words.ts';
import type { DomainSignals } from '../../../src/trust/score/verdict.ts';

/** An average domain of a whole-web release without lists, except for the changes of a test. */
export function domain(changes: Partial<DomainSignals> = {}): DomainSignals {
  return {
    pageRank: 0.5,
    trustRank: 0.5,
    antiTrustRank: 0,
    donors: 0.5,
    distrust: 0,
    listed: 0,
    independent: INDEPENDENT_MAX,
    donorCount: 40,
    acceptorCount: 10,
    release: { votes: 1, reach: 0.9, lists: null },
    ...changes,
  };
}
