import {
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type Sql,
  type Tx,
} from '../../db/index.ts';
import { sha256Hex } from '../../lib/ids.ts';

/** Domains that get ids in one transaction. */
const IDS_PER_TRANSACTION = 1_000;

export interface KnownSite {
  id: number;
  domain: string;
  state: 'known' | 'waiting' | 'claimed' | 'done';
}

/** The counter that is locked while ids are assigned; its value is the number of sites. */
export const SITES_COUNTER = 'crawl_sites';

async function findSites(sql: Sql, domains: readonly string[]): Promise<Map<string, KnownSite>> {
  const text = 'SELECT id, domain, state FROM crawl_sites WHERE domain IN (LIST)';
  const rows = await queryIn<KnownSite>(sql, text, domains);
  return new Map(rows.map((row) => [row.domain, row]));
}

/**
 * Creates the sites that do not exist yet. Ids are assigned under a lock that is held until the commit, so a reader
 * that sees an id also sees all smaller ones.
 * @param domains without duplicates
 * @param sitesMax limit of domains in the database; further ones are left out
 * @returns all of them that exist now, including those that another node created in the meantime
 */
export async function makeSites(
  db: Database,
  domains: readonly string[],
  sitesMax: number,
): Promise<Map<string, KnownSite>> {
  const sites = await findSites(db, domains);
  const unknown = domains.filter((domain) => !sites.has(domain));
  for (let start = 0; start < unknown.length; start += IDS_PER_TRANSACTION) {
    const some = unknown.slice(start, start + IDS_PER_TRANSACTION);
    const made = await db.transaction((tx) => make(tx, some, sitesMax));
    for (const [domain, site] of made) sites.set(domain, site);
  }
  return sites;
}

const insertSites = prepareInsert(tables.crawl_sites, { requiredOnly: true });

async function make(
  tx: Tx,
  domains: readonly string[],
  sitesMax: number,
): Promise<Map<string, KnownSite>> {
  const [counter] = await tx.query<{ value: number }>(
    `INSERT INTO counters (name, value) VALUES ($1, 0)
     ON CONFLICT (name) DO UPDATE SET value = counters.value RETURNING value`,
    [SITES_COUNTER],
  );
  const used = counter?.value ?? 0;
  // Another node may have created some before this one got the lock.
  const sites = await findSites(tx, domains);
  const room = Math.max(0, sitesMax - used);
  const unknown = domains.filter((domain) => !sites.has(domain)).slice(0, room);
  const none = { hops: 0, priority: 0, claims: 0, round: 0, pages_read: 0, sites_found: 0 };
  const rows = unknown.map((domain, index) => {
    const site: KnownSite = { id: used + 1 + index, domain, state: 'known' };
    sites.set(domain, site);
    // 48 bits shuffle the sites of one priority: neighbours in a list are often on the same server.
    const shuffle = Number.parseInt(sha256Hex(domain).slice(0, 12), 16);
    return { ...site, ...none, shuffle };
  });
  await insertSites(tx, rows);
  const text = 'UPDATE counters SET value = $2 WHERE name = $1';
  await tx.query(text, [SITES_COUNTER, used + unknown.length]);
  return sites;
}
