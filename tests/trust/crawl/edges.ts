import type { Database } from '../../../src/db/index.ts';

/** Followed links between the crawled domains, sorted by source, then target. */
export async function edgesOf(db: Database): Promise<[from: string, to: string][]> {
  const rows = await db.query<{ source: string; target: string }>(
    `SELECT f.domain AS source, t.domain AS target FROM crawl_links
     JOIN crawl_sites f ON f.id = from_id JOIN crawl_sites t ON t.id = to_id
     WHERE links > 0 ORDER BY f.domain, t.domain`,
  );
  return rows.map(({ source, target }) => [source, target]);
}
