import {
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type Sql,
  type Tx,
} from '../../db/index.ts';
import { sha256Hex } from '../../lib/ids.ts';
import { IDS_PER_TRANSACTION } from './limits.ts';

export type SiteState = 'known' | 'waiting' | 'claimed' | 'done';

export interface KnownSite {
  id: number;
  domain: string;
  state: SiteState;
}

/** The counter whose row is locked while ids are given; its value is the number of sites. */
export const SITES_COUNTER = 'crawl_sites';

/** The rows of those domains that have one. @param domains registrable domains in ASCII */
export async function findSites(
  sql: Sql,
  domains: readonly string[],
): Promise<Map<string, KnownSite>> {
  const text = 'SELECT id, domain, state FROM crawl_sites WHERE domain IN (LIST)';
  const rows = await queryIn<KnownSite>(sql, text, domains);
  return new Map(rows.map((row) => [row.domain, row]));
}

/**
 * Makes rows for domains that have none. Ids are given under a lock that lasts to the commit, so that
 * whoever sees an id sees all smaller ones too: what was read up to some id stays whole.
 * @param domains registrable domains in ASCII, each once
 * @param sitesMax domains in the database, beyond which the others are left out
 * @returns the rows, also of domains that another node made meanwhile
 */
export async function makeSites(
  db: Database,
  domains: readonly string[],
  sitesMax: number,
): Promise<Map<string, KnownSite>> {
  const sites = new Map<string, KnownSite>();
  for (let start = 0; start < domains.length; start += IDS_PER_TRANSACTION) {
    const some = domains.slice(start, start + IDS_PER_TRANSACTION);
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
  // Another node may have made some of them before we had the lock.
  const sites = await findSites(tx, domains);
  const room = Math.max(0, sitesMax - used);
  const unknown = domains.filter((domain) => !sites.has(domain)).slice(0, room);
  unknown.forEach((domain, index) => {
    sites.set(domain, { id: used + 1 + index, domain, state: 'known' });
  });
  await insertSites(
    tx,
    unknown.map((domain, index) => ({
      id: used + 1 + index,
      domain,
      state: 'known',
      hops: 0,
      priority: 0,
      shuffle: shuffleOf(domain),
      claims: 0,
      round: 0,
      pages_read: 0,
      sites_found: 0,
    })),
  );
  await tx.query('UPDATE counters SET value = $2 WHERE name = $1', [
    SITES_COUNTER,
    used + unknown.length,
  ]);
  return sites;
}

/** Mixes sites of one priority: what stands together in a list often lies on one server. 48 bits. */
function shuffleOf(domain: string): number {
  return Number.parseInt(sha256Hex(domain).slice(0, 12), 16);
}
