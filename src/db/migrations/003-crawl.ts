import { runStatements, type Migration } from './migration.ts';

/**
 * The crawl: sites with their place in the frontier, pages of the sites that are being read, links between sites, and the
 * nodes that share the work. No data of users. Times are milliseconds since 1970.
 */
export const crawl: Migration = {
  number: 3,
  name: 'crawl',
  async up(tx) {
    // Names are compared byte by byte, regardless of the server's locale, so that both databases sort alike.
    const name = tx.dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
    await runStatements(tx, tables(name));
  },
};

/** Site ids have no gaps, and follow the order of commits: see trust/crawl/site-ids.ts. */
const tables = (name: string) => `
CREATE TABLE crawl_nodes (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  beat BIGINT NOT NULL,
  started_at BIGINT NOT NULL
)
;;
CREATE TABLE crawl_sites (
  id BIGINT PRIMARY KEY,
  domain ${name} NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('known', 'waiting', 'claimed', 'done')),
  hops INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  shuffle BIGINT NOT NULL,
  node_id BIGINT,
  claims BIGINT NOT NULL,
  round INTEGER NOT NULL,
  pages_read INTEGER NOT NULL,
  sites_found INTEGER NOT NULL,
  outcome TEXT,
  finished_at BIGINT,
  CHECK ((state = 'claimed') = (node_id IS NOT NULL))
)
;;
CREATE INDEX crawl_sites_frontier ON crawl_sites (priority, shuffle) WHERE state = 'waiting'
;;
CREATE INDEX crawl_sites_by_node ON crawl_sites (node_id) WHERE state = 'claimed'
;;
CREATE TABLE crawl_pages (
  site_id BIGINT NOT NULL,
  url_key TEXT NOT NULL,
  url TEXT NOT NULL,
  number INTEGER NOT NULL,
  outcome TEXT,
  PRIMARY KEY (site_id, url_key)
)
;;
CREATE TABLE crawl_links (
  from_id BIGINT NOT NULL,
  to_id BIGINT NOT NULL CHECK (to_id <> from_id),
  links BIGINT NOT NULL,
  nofollow_links BIGINT NOT NULL,
  ugc_links BIGINT NOT NULL,
  sponsored_links BIGINT NOT NULL,
  round INTEGER NOT NULL,
  last_seen BIGINT NOT NULL,
  PRIMARY KEY (from_id, to_id)
)
;;
CREATE INDEX crawl_links_by_target ON crawl_links (to_id, from_id)
`;
