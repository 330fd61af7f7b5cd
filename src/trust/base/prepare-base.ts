import type { GraphStore } from '../graph/graph-store.ts';
import type { Manifest } from '../graph/release/manifest.ts';
import type { Release } from '../graph/release/release.ts';
import { columnsOfBase } from './base-columns.ts';
import { eachInBoth } from './compare-releases.ts';
import { countInstitutionDonors } from './institution-donors.ts';

/** The most releases in which a domain can have been first seen; the number of a release is a byte. */
const SEEN_MAX = 250;

export interface BaseStep {
  step: string;
  done: number;
  total: number;
}

/**
 * Counts the facts that checks take from a base, and stores them with the release: the institutions that link to each
 * domain, the release in which the domain was first seen, and its donors in the earlier release. Takes 9 bytes of
 * memory and disk per domain. Does nothing if this was done before with the same earlier release.
 * @param since the earlier release; undefined: the one with which it was compared before, if any
 * @throws DomainError if another process imports, ranks or removes the release
 */
export async function prepareBase(
  store: GraphStore,
  name: string,
  since: string | undefined,
  onStep: (step: BaseStep) => void,
): Promise<void> {
  const { base } = store.open(name).manifest;
  if (base && (since === undefined || base.since === since)) return;
  const earlier = since === undefined ? undefined : store.open(since);
  await store.exclusively(name, () => prepare(store.open(name), earlier, onStep));
}

async function prepare(
  release: Release,
  earlier: Release | undefined,
  onStep: (step: BaseStep) => void,
): Promise<void> {
  const onTurn = (step: string) => (done: number, total: number) => {
    onStep({ step, done, total });
    return new Promise((resolve) => setImmediate(resolve));
  };
  const institutions = await countInstitutionDonors(release, onTurn('institutions'));
  const seenBefore = earlier ? seenUpTo(earlier.manifest) : [];
  const seen = [...seenBefore, seenAt(release.manifest)].slice(-SEEN_MAX);
  const firstSeen = new Uint8Array(release.nodes).fill(seen.length - 1);
  const donorsBefore = new Uint32Array(release.nodes);
  if (earlier) {
    const own = earlier.column(columnsOfBase.firstSeen);
    // If the list is full, the oldest release is dropped.
    const dropped = seenBefore.length + 1 - seen.length;
    const inherited = (node: number) => Math.max(0, (own?.at(node) ?? 0) - dropped);
    await eachInBoth(
      release,
      earlier,
      (node, before) => {
        firstSeen[node] = inherited(before);
        donorsBefore[node] = earlier.donorCount(before);
      },
      onTurn('comparing'),
    );
  }
  release.writeBaseColumns(
    {
      [columnsOfBase.institutions]: institutions,
      [columnsOfBase.firstSeen]: firstSeen,
      [columnsOfBase.donorsBefore]: donorsBefore,
    },
    { since: earlier?.name ?? null, seen },
  );
}

const seenAt = ({ name, created }: Manifest) => ({ release: name, created });

/** The releases in which domains can have been first seen, up to this one. */
function seenUpTo(manifest: Manifest): NonNullable<Manifest['base']>['seen'] {
  return manifest.base?.seen ?? [seenAt(manifest)];
}
