import { runStatements, type Migration } from './migration.ts';

/**
 * Drops columns of the trust check that nothing reads. Stored pages have a new form, so they go too: each is read again
 * with the next check of its site.
 */
export const unreadColumns: Migration = {
  number: 12,
  name: 'unread-columns',
  async up(tx) {
    await runStatements(tx, statements);
  },
};

const statements = `
DELETE FROM trust_pages
;;
ALTER TABLE trust_seeds DROP COLUMN added_at
;;
ALTER TABLE crawl_nodes DROP COLUMN started_at
;;
ALTER TABLE crawl_links DROP COLUMN nofollow_links
;;
ALTER TABLE crawl_links DROP COLUMN ugc_links
;;
ALTER TABLE crawl_links DROP COLUMN sponsored_links
;;
ALTER TABLE crawl_links DROP COLUMN last_seen
`;
