import type { Dialect } from '../database.ts';

/**
 * The trust check: allowances, pages, history of scores, seeds; and the crawl: sites with their place in the frontier,
 * pages of the sites that are being read, links between sites, and the nodes that share the work. The link graph is in
 * files. Ids of sites have no gaps, and follow the order of commits: see trust/crawl/site-ids.ts.
 */
export function trustTables(dialect: Dialect): string {
  // Names of sites are compared byte by byte, regardless of the server's locale, so that both databases sort alike.
  const name = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
  return `
CREATE TABLE trust_usage (
  user_id BIGINT NOT NULL REFERENCES users (id),
  day INTEGER NOT NULL,
  used BIGINT NOT NULL CHECK (used >= 0),
  PRIMARY KEY (user_id, day)
);
CREATE INDEX trust_usage_by_day ON trust_usage (day);

CREATE TABLE trust_pages (
  domain TEXT PRIMARY KEY,
  fetched_at BIGINT NOT NULL,
  result TEXT NOT NULL
);
CREATE INDEX trust_pages_by_time ON trust_pages (fetched_at);

CREATE TABLE trust_history (
  domain TEXT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  xt_tenths INTEGER NOT NULL CHECK (xt_tenths BETWEEN 0 AND 100),
  spam INTEGER NOT NULL CHECK (spam BETWEEN 0 AND 100),
  formula TEXT NOT NULL,
  release_name TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('first', 'release', 'formula', 'page')),
  PRIMARY KEY (domain, number)
);

CREATE TABLE trust_seeds (
  domain TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('trusted', 'spam'))
);

CREATE TABLE crawl_nodes (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  beat BIGINT NOT NULL
);

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
);
CREATE INDEX crawl_sites_frontier ON crawl_sites (priority, shuffle) WHERE state = 'waiting';
CREATE INDEX crawl_sites_by_node ON crawl_sites (node_id) WHERE state = 'claimed';

CREATE TABLE crawl_pages (
  site_id BIGINT NOT NULL,
  url_key TEXT NOT NULL,
  url TEXT NOT NULL,
  number INTEGER NOT NULL,
  outcome TEXT,
  PRIMARY KEY (site_id, url_key)
);

CREATE TABLE crawl_links (
  from_id BIGINT NOT NULL,
  to_id BIGINT NOT NULL CHECK (to_id <> from_id),
  links BIGINT NOT NULL,
  round INTEGER NOT NULL,
  PRIMARY KEY (from_id, to_id)
);
CREATE INDEX crawl_links_by_target ON crawl_links (to_id, from_id);
`;
}
