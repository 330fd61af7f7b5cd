import { queryIn, type Sql } from '../../db/index.ts';

/** Domains whose links are read at once; each has at most as many as the crawl stores of one site. */
const SOURCES_AT_ONCE = 64;

export interface CrawlEdge {
  from: string;
  to: string;
}

/** What the crawl saw of one domain: distinct registrable domains, itself left out. */
export interface CrawlNeighbours {
  /** Domains that link to it, by at least one link without nofollow, ugc or sponsored. */
  donors: number;
  /** Domains that it links to so. */
  acceptors: number;
  /** Domains that link to it by none but links with one of those words. */
  unvouchedDonors: number;
  unvouchedAcceptors: number;
}

/**
 * Which domain links to which, as far as own crawling saw, sorted by `from`, then `to`, byte by byte.
 * Only links that the page vouches for make an edge: the others carry no trust.
 * @param sql a snapshot for one moment, or the database itself while nothing crawls
 */
export async function* crawlEdges(sql: Sql): AsyncGenerator<CrawlEdge> {
  for (let after = ''; ;) {
    const sources = await sql.query<{ id: number; domain: string }>(
      `SELECT id, domain FROM crawl_sites WHERE domain > $1 AND round > 0
       ORDER BY domain LIMIT ${SOURCES_AT_ONCE}`,
      [after],
    );
    const targets = new Map<number, string[]>(sources.map(({ id }) => [id, []]));
    const rows = await queryIn<{ from_id: number; domain: string }>(
      sql,
      `SELECT from_id, domain FROM crawl_links JOIN crawl_sites ON id = to_id
       WHERE links > 0 AND from_id IN (LIST)`,
      sources.map(({ id }) => id),
    );
    for (const { from_id: id, domain } of rows) targets.get(id)?.push(domain);
    for (const { id, domain } of sources) {
      for (const to of targets.get(id)?.sort() ?? []) yield { from: domain, to };
    }
    const last = sources.at(-1);
    if (!last) return;
    after = last.domain;
  }
}

/** True where nobody has crawled: then no domain needs to be looked up. */
export async function hasNoCrawl(sql: Sql): Promise<boolean> {
  return (await sql.query('SELECT 1 AS one FROM crawl_sites LIMIT 1', [])).length === 0;
}

/** Undefined for a domain that the crawl has not met. */
export async function crawlNeighbours(
  sql: Sql,
  domain: string,
): Promise<CrawlNeighbours | undefined> {
  const [site] = await sql.query<{ id: number }>('SELECT id FROM crawl_sites WHERE domain = $1', [
    domain,
  ]);
  if (!site) return undefined;
  const count = async (column: 'from_id' | 'to_id', test: string): Promise<number> => {
    const [row] = await sql.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM crawl_links WHERE ${column} = $1 AND links ${test}`,
      [site.id],
    );
    return row?.count ?? 0;
  };
  return {
    donors: await count('to_id', '> 0'),
    acceptors: await count('from_id', '> 0'),
    unvouchedDonors: await count('to_id', '= 0'),
    unvouchedAcceptors: await count('from_id', '= 0'),
  };
}
