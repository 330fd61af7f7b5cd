import { BaseRelease, type BaseFacts } from './base/base-release.ts';
import type { GraphStore } from './graph/graph-store.ts';
import type { OpenInUse } from './graph/in-use.ts';
import type { Site, SuffixReading } from './identity.ts';
import { RankedRelease } from './release-signals.ts';
import type { DomainSignals } from './score/verdict.ts';

/** What the releases in use know about one domain. */
export interface GraphEvidence {
  /** The release of these scores; undefined if no release in use has any. */
  ranked: RankedRelease | undefined;
  /** The domain of the record: that of the site's platform if the release has no record for the site itself. */
  domain: string;
  /** The node of the domain in that release. */
  node: number | undefined;
  signals: DomainSignals | undefined;
  /** Undefined without a base. */
  base: BaseFacts | undefined;
}

/** The releases from which checks are answered, opened once. */
export class ReleasesInUse {
  readonly #store: GraphStore;
  #opened: OpenInUse = { current: undefined, base: undefined };
  #current: RankedRelease | undefined;
  /** Undefined if the base has no scores, or is also the current release. */
  #rankedBase: RankedRelease | undefined;
  #base: BaseRelease | undefined;

  constructor(store: GraphStore) {
    this.#store = store;
  }

  /** The own crawl comes first. A site that it does not know is scored by the base, if the base is ranked. */
  find(site: Site): GraphEvidence {
    this.#follow();
    const own = lookUp(this.#current, site);
    const isOwn = own !== undefined && isKnown(own.signals);
    const other = isOwn ? undefined : lookUp(this.#rankedBase, site);
    const isOther = other !== undefined && (own === undefined || isKnown(other.signals));
    const found = isOther ? other : own;
    const domain = found?.domain ?? site.domain;
    const base = this.#canKnow(site, domain) ? this.#base?.find(domain) : undefined;
    return {
      ranked: isOther ? this.#rankedBase : this.#current,
      domain,
      node: found?.node,
      signals: found && { ...found.signals, institutionDonors: base?.institutionDonors },
      base,
    };
  }

  /** How the release that is used first reads names; undefined without one. */
  get suffixes(): SuffixReading | undefined {
    this.#follow();
    return (this.#current ?? this.#rankedBase)?.release.manifest.suffixes;
  }

  /** When the release that is used first was ranked, ISO 8601; undefined without one. */
  get rankedAt(): string | undefined {
    this.#follow();
    return (this.#current ?? this.#rankedBase)?.rankedAt;
  }

  /** A base that only contains platforms says nothing about a site on one of them. */
  #canKnow({ platform }: Site, domain: string): boolean {
    const reading = this.#base?.release.manifest.suffixes;
    return platform === undefined || reading === 'private' || domain === platform;
  }

  #follow(): void {
    const { current, base } = this.#store.inUseNow();
    const before = this.#opened;
    if (current === before.current && base === before.base) return;
    if (current !== before.current) this.#current = current && RankedRelease.of(current);
    if (base !== before.base) this.#base = base && BaseRelease.of(base);
    this.#rankedBase = base && base !== current ? RankedRelease.of(base) : undefined;
    this.#opened = { current, base };
  }
}

function lookUp(ranked: RankedRelease | undefined, site: Site) {
  if (!ranked) return undefined;
  const domain = ranked.domainFor(site);
  return { domain, ...ranked.find(domain) };
}

/** Whether the release has links of the domain. */
function isKnown({ donorCount, acceptorCount }: DomainSignals): boolean {
  return donorCount + acceptorCount > 0;
}
