import { prepareInsert, tables, type Database, type Tx } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
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

/** What one request, with its redirects within the site, brought. */
export interface PageReport {
  /** The addresses that this settles: the one asked for, and those it redirected to. */
  settled: readonly string[];
  /** `read`, or why there is no page. */
  outcome: string;
  /** Whether it counts as a page that was asked for; one that robots.txt forbids does not. */
  counts: boolean;
  links: readonly SiteLinks[];
  /** Domains that the site moved to: no links, but places to go on. */
  movedTo: readonly string[];
  /** Addresses of the site to read later. */
  found: readonly string[];
}

/** What a site's visit knows of what was stored; `store` keeps it up to date. */
export interface SiteNotes {
  /** All addresses, in the order in which they were found. */
  addresses: Map<string, StoredAddress>;
  /** Ids of the sites that it links to, as seen in this round. */
  acceptors: Set<number>;
}

export interface StoreResult {
  /** False: the site is not this node's any more, and nothing was stored. */
  isOurs: boolean;
  /** Sites that came to the frontier. */
  opened: number;
}

export interface PageStoreParts {
  db: Database;
  clock: Clock;
  limits: CrawlLimits;
  frontier: Frontier;
}

/** Pages of one round add up; a new round begins anew. */
const added = (column: string) => `${column} = excluded.${column} +
  CASE WHEN crawl_links.round = excluded.round THEN crawl_links.${column} ELSE 0 END`;
const addLinks = prepareInsert(tables.crawl_links, {
  onConflict: `ON CONFLICT (from_id, to_id) DO UPDATE SET ${added('links')},
    ${added('nofollow_links')}, ${added('ugc_links')}, ${added('sponsored_links')},
    round = excluded.round, last_seen = excluded.last_seen`,
});
const settleAddresses = prepareInsert(tables.crawl_pages, {
  onConflict: 'ON CONFLICT (site_id, url_key) DO UPDATE SET outcome = excluded.outcome',
});
const addAddresses = prepareInsert(tables.crawl_pages, { onConflict: 'ON CONFLICT DO NOTHING' });

/** Stores what was read: a page with its links and finds in one transaction, so that it counts once. */
export class PageStore {
  readonly #parts: PageStoreParts;

  constructor(parts: PageStoreParts) {
    this.#parts = parts;
  }

  /** What was stored of a site in this round, by whichever node. */
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
    const { sites, kept } = await this.#place(claim, notes, report);
    const toOpen = this.#toOpen(claim, kept, report, sites);
    const opened = await db.transaction(async (tx) => {
      if (!(await count(tx, claim, report))) return undefined;
      await this.#storeLinks(tx, claim, kept, sites);
      await storeAddresses(tx, claim, notes, report);
      return this.#open(tx, claim, toOpen);
    });
    if (opened === undefined) return { isOurs: false, opened: 0 };
    note(notes, report, kept, sites);
    return { isOurs: true, opened };
  }

  /**
   * The rows of what the page links to, and the links that are stored: those to sites that are stored
   * already always, new ones while there is room. Only these are given rows.
   */
  async #place(
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

  /** A link that the page does not vouch for leads nowhere. */
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
    const nearer = await frontier.open(tx, moved, claim.hops);
    const farther = await frontier.open(tx, linked, claim.hops + 1);
    const opened = nearer.length + farther.length;
    if (opened > 0) {
      await tx.query('UPDATE crawl_sites SET sites_found = sites_found + $2 WHERE id = $1', [
        claim.id,
        opened,
      ]);
    }
    return opened;
  }

  async #storeLinks(
    tx: Tx,
    claim: Claim,
    links: readonly SiteLinks[],
    sites: ReadonlyMap<string, KnownSite>,
  ): Promise<void> {
    const now = Math.floor(this.#parts.clock.now());
    await addLinks(
      tx,
      links.map(({ domain, followed, nofollow, ugc, sponsored }) => ({
        from_id: claim.id,
        to_id: sites.get(domain)?.id ?? 0,
        links: followed,
        nofollow_links: nofollow,
        ugc_links: ugc,
        sponsored_links: sponsored,
        round: claim.round,
        last_seen: now,
      })),
    );
  }
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
  const toRow = (url: string, outcomeOf: string | null) => ({
    site_id: claim.id,
    url_key: keyOf(url),
    url,
    number: number++,
    outcome: outcomeOf,
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

/** Addresses can be longer than what an index takes. */
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
