import { DomainError } from '../../lib/errors.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import type { InUse } from '../graph/in-use.ts';
import type { Release } from '../graph/release/release.ts';
import { prepareBase, type BaseStep } from './prepare-base.ts';

export interface UseOptions {
  /** The release whose scores are used first; undefined: unchanged. */
  name: string | undefined;
  /** The release of the whole web beside it; null: none, undefined: unchanged. */
  base: string | null | undefined;
  /** The earlier release with which the base is compared; undefined: the base in use until now. */
  since: string | undefined;
  onStep: (step: BaseStep) => void;
  /** Called before a release of this many bytes is compared with its checksums. */
  onCheck: (bytes: number) => Promise<void>;
}

/**
 * Changes which releases are in use, after comparing the named ones with their checksums: they may have been copied
 * from elsewhere.
 * @throws DomainError for the first damaged file, and if a release can't be used in this way
 */
export async function useReleases(
  store: GraphStore,
  { name, base, since, onStep, onCheck }: UseOptions,
): Promise<InUse> {
  const before = store.inUse();
  const newBase = base === undefined ? before.base : (base ?? undefined);
  const names = { current: name ?? before.current, base: newBase };
  const checked = new Set([name, base ?? undefined].filter((one) => one !== undefined));
  for (const release of checked) if (release === name) refuseUnranked(store.open(release));
  for (const release of checked) await store.checked(release, onCheck);
  if (typeof base === 'string') {
    // If it has no scores and is used alone, no site would have a verdict.
    if (names.current === undefined) refuseUnranked(store.open(base));
    const other = since ?? (before.base === base ? undefined : before.base);
    await prepareBase(store, base, other, onStep);
  }
  store.useBoth(names);
  return names;
}

function refuseUnranked({ name, manifest }: Release): void {
  if (manifest.ranking !== null) return;
  const message = `${name} has no scores yet: zastava trust rank --release ${name}`;
  throw new DomainError('invalid_request', message);
}
