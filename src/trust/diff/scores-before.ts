import type { GraphStore } from '../graph/graph-store.ts';
import { RankedRelease } from '../release-signals.ts';

/** The scores of a release; they stay readable while they are held, whatever is ranked meanwhile. */
export type ScoresBefore = RankedRelease;

/**
 * The scores that a ranking of a release will replace: those from which checks are answered or, if the release stays
 * the base beside another one, its own. Its files stay readable while it is held.
 * @returns undefined if there are none yet
 */
export function scoresBefore(store: GraphStore, name: string): RankedRelease | undefined {
  const { current, base } = store.inUse();
  const replaced = name === base ? name : current;
  return replaced === undefined ? undefined : RankedRelease.of(store.open(replaced));
}
