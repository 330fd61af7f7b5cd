import { prepareInsert, tables, type Database, type Tx } from '../../db/index.ts';
import { sha256Hex } from '../../lib/ids.ts';
import type { SiteLinks } from '../page/facts.ts';
import type { Claim, Frontier } from './frontier.ts';
import type { CrawlLimits } from './limits.ts';
import { findSites, makeSites, type KnownSite } from './site-ids.ts';

/** An address of a site that is being read. */
export interface StoredAddress {
  url: string;
  /** Null while it waits to be read. */
  outcome: string | null;
}

/** The result of one page, with its redirects within the site. */
export interface PageReport {
  /** The requested address and those it redirected to: all of them need no further request. */
  settled: readonly string[];
  /** `read`, or why there is no page. */
  outcome: string;
  /** Whether it counts as a requested page; one that robots.txt forbids does not. */
  counts: boolean;
  links: readonly SiteLinks[];
  /** Domains that the site redirects to: these are not links, but are crawled too. */
  movedTo: readonly string[];
  /** Addresses of the site to read later. */
  found: readonly string[];
}

/** What is stored of a site in this round; `store` keeps it up to date. */
export interface SiteNotes {
  /** In the order in which they were found. */
  addresses: Map<string, StoredAddress>;
  /** Ids of the sites that it links to. */
  acceptors: Set<number>;
}

export interface StoreResult {
  /** False when another node has the site now; then nothing was stored. */
  isOurs: boolean;
  /** Sites added to the frontier. */
  opened: number;
}

export interface PageStoreParts {
  db: Database;
  limits: CrawlLimits;
  frontier: Frontier;
}

/** The counts of the pages of one round are added up; a new round starts from 0. */
const addLinks = prepareInsert(tables.crawl_links, {
  onConflict: `ON CONFLICT (from_id, to_id) DO UPDATE SET round = excluded.round,
    links = excluded.links +
      CASE WHEN crawl_links.round = excluded.round THEN crawl_links.links ELSE 0 END`,
});
const settleAddresses = prepareInsert(tables.crawl_pages, {
  onConflict: 'ON CONFLICT (site_id, url_key) DO UPDATE SET outcome = excluded.outcome',
});
const addAddresses = prepareInsert(tables.crawl_pages, { onConflict: 'ON CONFLICT DO NOTHING' });

/** Stores each page with its links and addresses in one transaction, so that it counts once. */
export class PageStore {
  readonly #parts: PageStoreParts;

  constructor(parts: PageStoreParts) {
    this.#parts = parts;
  }

  /** What any node has stored of a site in this round. */
  async load(claim: Claim): Promise<SiteNotes> {
    const { db } = this.#parts;
    const addresses = await db.query<StoredAddress>(
      'SELECT url, outcome FROM crawl_pages WHERE site_id = $1 ORDER BY number',
      [claim.id],
    );
    const links = await db.query<{ to_id: number }>(
      'SELECT to_id FROM crawl_links WHERE from_id = $1 AND round = $2',
      [claim.id, claim.round],
    );
    return {
      addresses: new Map(addresses.map((address) => [address.url, address])),
      acceptors: new Set(links.map((link) => link.to_id)),
    };
  }

  async store(claim: Claim, notes: SiteNotes, report: PageReport): Promise<StoreResult> {
    const { db } = this.#parts;
    const { sites, kept } = await this.#select(claim, notes, report);
    const toOpen = this.#toOpen(claim, kept, report, sites);
    const opened = await db.transaction(async (tx) => {
      if (!(await count(tx, claim, report))) return undefined;
      await storeLinks(tx, claim, kept, sites);
      await storeAddresses(tx, claim, notes, report);
      return this.#open(tx, claim, toOpen);
    });
    if (opened === undefined) return { isOurs: false, opened: 0 };
    note(notes, report, kept, sites);
    return { isOurs: true, opened };
  }

  /**
   * The links to store, and the sites that they lead to. Links to sites that this site links to already are always
   * stored, new ones up to the limit. Sites are created only for these.
   */
  async #select(
    claim: Claim,
    { acceptors }: SiteNotes,
    report: PageReport,
  ): Promise<{ sites: Map<string, KnownSite>; kept: SiteLinks[] }> {
    const { db, limits } = this.#parts;
    const links = report.links.filter(({ domain }) => domain !== claim.domain);
    const sites = await findSites(db, [...links.map(({ domain }) => domain), ...report.movedTo]);
    let room = limits.acceptorsPerSiteMax - acceptors.size;
    const wanted = links.filter(({ domain }) => {
      const site = sites.get(domain);
      return (site !== undefined && acceptors.has(site.id)) || room-- > 0;
    });
    const domains = new Set([...wanted.map(({ domain }) => domain), ...report.movedTo]);
    const unknown = [...domains].filter((domain) => !sites.has(domain));
    const made = await makeSites(db, unknown, limits.sitesMax);
    for (const [domain, site] of made) sites.set(domain, site);
    return { sites, kept: wanted.filter(({ domain }) => sites.has(domain)) };
  }

  /** The sites to add to the frontier. Unfollowed links add none. */
  #toOpen(
    claim: Claim,
    links: readonly SiteLinks[],
    report: PageReport,
    sites: ReadonlyMap<string, KnownSite>,
  ): { moved: number[]; linked: number[] } {
    const room = Math.max(0, this.#parts.limits.newSitesPerSiteMax - claim.sitesFound);
    const mayOpen = (domain: string) => {
      const site = sites.get(domain);
      return site && (site.state === 'known' || site.state === 'done') ? [site.id] : [];
    };
    const moved = report.movedTo.flatMap(mayOpen);
    const isTooFar = claim.hops >= this.#parts.limits.hopsMax;
    const followed = isTooFar ? [] : links.filter((link) => link.followed > 0);
    const linked = followed.flatMap(({ domain }) => mayOpen(domain));
    return { moved: moved.slice(0, room), linked: linked.slice(0, room) };
  }

  async #open(
    tx: Tx,
    claim: Claim,
    { moved, linked }: { moved: number[]; linked: number[] },
  ): Promise<number> {
    const { frontier } = this.#parts;
    const opened =
      (await frontier.open(tx, moved, claim.hops)) +
      (await frontier.open(tx, linked, claim.hops + 1));
    if (opened > 0) {
      await tx.query('UPDATE crawl_sites SET sites_found = sites_found + $2 WHERE id = $1', [
        claim.id,
        opened,
      ]);
    }
    return opened;
  }
}

async function storeLinks(
  tx: Tx,
  claim: Claim,
  links: readonly SiteLinks[],
  sites: ReadonlyMap<string, KnownSite>,
): Promise<void> {
  await addLinks(
    tx,
    links.map(({ domain, followed }) => ({
      from_id: claim.id,
      to_id: sites.get(domain)?.id ?? 0,
      links: followed,
      round: claim.round,
    })),
  );
}

/** False when another node has the site now. */
async function count(tx: Tx, claim: Claim, report: PageReport): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE crawl_sites SET pages_read = pages_read + $3,
       outcome = CASE WHEN outcome = 'read' THEN outcome ELSE $4 END
     WHERE id = $1 AND claims = $2 AND state = 'claimed' RETURNING id`,
    [claim.id, claim.claims, report.counts ? 1 : 0, report.outcome],
  );
  return rows.length > 0;
}

async function storeAddresses(
  tx: Tx,
  claim: Claim,
  { addresses }: SiteNotes,
  { settled, outcome, found }: PageReport,
): Promise<void> {
  let number = addresses.size;
  const toRow = (url: string, result: string | null) => ({
    site_id: claim.id,
    url_key: keyOf(url),
    url,
    number: number++,
    outcome: result,
  });
  await settleAddresses(
    tx,
    settled.map((url) => toRow(url, outcome)),
  );
  await addAddresses(
    tx,
    found.map((url) => toRow(url, null)),
  );
}

/** A hash, since an address can be longer than an index entry. */
function keyOf(url: string): string {
  return sha256Hex(url).slice(0, 32);
}

function note(
  { addresses, acceptors }: SiteNotes,
  { settled, outcome, found }: PageReport,
  links: readonly SiteLinks[],
  sites: ReadonlyMap<string, KnownSite>,
): void {
  for (const url of settled) addresses.set(url, { url, outcome });
  for (const url of found) if (!addresses.has(url)) addresses.set(url, { url, outcome: null });
  for (const { domain } of links) {
    const site = sites.get(domain);
    if (site) acceptors.add(site.id);
  }
}
