import { prepareInsert, tables, type Tx } from '../../db/index.ts';
import { sha256Hex } from '../../lib/ids.ts';
import type { SiteLinks } from '../page/facts.ts';
import type { Claim, Frontier } from './frontier.ts';
import type { CrawlParts } from './options.ts';
import { makeSites, type KnownSite } from './site-ids.ts';

/** The result of one page, with its redirects within the site. */
export interface PageReport {
  /** The requested URL and those to which it redirected: none needs a further request. */
  settled: readonly string[];
  /** `read`, or why there is no page. */
  outcome: string;
  /** Whether it counts as a requested page; a page that robots.txt forbids does not. */
  counts: boolean;
  links: readonly SiteLinks[];
  /** Domains to which the site redirects: these are not links, but are also crawled. */
  movedTo: readonly string[];
  /** URLs of the site to read later. */
  found: readonly string[];
}

/** What is stored about a site in this round; `store` keeps it up to date. */
export interface SiteNotes {
  /** Outcomes by URL, in the order in which the URLs were found; null while one waits. */
  addresses: Map<string, string | null>;
  /** Domains that it links to. */
  acceptors: Set<string>;
}

/** A link target, and how many followed links lead to it. */
type Target = KnownSite & { followed: number };

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
  readonly #parts: CrawlParts;
  readonly #frontier: Frontier;

  constructor(parts: CrawlParts, frontier: Frontier) {
    this.#parts = parts;
    this.#frontier = frontier;
  }

  /** What all nodes have stored about a site in this round. */
  async load(claim: Claim): Promise<SiteNotes> {
    const { db } = this.#parts;
    const addresses = await db.query<{ url: string; outcome: string | null }>(
      'SELECT url, outcome FROM crawl_pages WHERE site_id = $1 ORDER BY number',
      [claim.id],
    );
    const acceptors = await db.query<{ domain: string }>(
      `SELECT domain FROM crawl_links l JOIN crawl_sites s ON s.id = l.to_id
       WHERE l.from_id = $1 AND l.round = $2`,
      [claim.id, claim.round],
    );
    return {
      addresses: new Map(addresses.map(({ url, outcome }) => [url, outcome])),
      acceptors: new Set(acceptors.map(({ domain }) => domain)),
    };
  }

  /** @returns how many sites were added to the frontier; undefined if another node has the site now */
  async store(claim: Claim, notes: SiteNotes, report: PageReport): Promise<number | undefined> {
    const { targets, moved } = await this.#select(claim, notes, report);
    const opened = await this.#parts.db.transaction(async (tx) => {
      if (!(await count(tx, claim, report))) return undefined;
      const rows = targets.map(({ id, followed: links }) => {
        return { from_id: claim.id, to_id: id, links, round: claim.round };
      });
      await addLinks(tx, rows);
      await storeAddresses(tx, claim, notes, report);
      return this.#open(tx, claim, moved, targets);
    });
    if (opened === undefined) return undefined;
    const { addresses, acceptors } = notes;
    for (const url of report.settled) addresses.set(url, report.outcome);
    for (const url of report.found) if (!addresses.has(url)) addresses.set(url, null);
    for (const { domain } of targets) acceptors.add(domain);
    return opened;
  }

  /**
   * The link targets to store, and the sites to which the page moved. Targets to which this site already links are
   * always stored, new ones up to the limit. Sites are created only for these.
   */
  async #select(
    claim: Claim,
    { acceptors }: SiteNotes,
    { links, movedTo }: PageReport,
  ): Promise<{ targets: Target[]; moved: KnownSite[] }> {
    const { db, limits } = this.#parts;
    const others = links.filter(({ domain }) => domain !== claim.domain);
    let room = limits.acceptorsPerSiteMax - acceptors.size;
    const wanted = others.filter(({ domain }) => acceptors.has(domain) || room-- > 0);
    const domains = new Set([...wanted.map(({ domain }) => domain), ...movedTo]);
    const sites = await makeSites(db, [...domains], limits.sitesMax);
    return {
      targets: wanted.flatMap(({ domain, followed }) => {
        const site = sites.get(domain);
        return site ? [{ ...site, followed }] : [];
      }),
      moved: movedTo.flatMap((domain) => sites.get(domain) ?? []),
    };
  }

  /** Adds sites to the frontier. Unfollowed links add none. */
  async #open(
    tx: Tx,
    claim: Claim,
    moved: readonly KnownSite[],
    targets: readonly Target[],
  ): Promise<number> {
    const { limits } = this.#parts;
    const frontier = this.#frontier;
    const room = Math.max(0, limits.newSitesPerSiteMax - claim.sitesFound);
    const idsOf = (sites: readonly KnownSite[]) =>
      sites
        .filter(({ state }) => state === 'known' || state === 'done')
        .map(({ id }) => id)
        .slice(0, room);
    const isTooFar = claim.hops >= limits.hopsMax;
    const followed = isTooFar ? [] : targets.filter((target) => target.followed > 0);
    const opened =
      (await frontier.open(tx, idsOf(moved), claim.hops)) +
      (await frontier.open(tx, idsOf(followed), claim.hops + 1));
    if (opened > 0) {
      const text = 'UPDATE crawl_sites SET sites_found = sites_found + $2 WHERE id = $1';
      await tx.query(text, [claim.id, opened]);
    }
    return opened;
  }
}

/** False if another node has the site now. */
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
    // A hash, since a URL can be longer than an index entry.
    url_key: sha256Hex(url).slice(0, 32),
    url,
    number: number++,
    outcome: result,
  });
  const settledRows = settled.map((url) => toRow(url, outcome));
  await settleAddresses(tx, settledRows);
  const foundRows = found.map((url) => toRow(url, null));
  await addAddresses(tx, foundRows);
}
