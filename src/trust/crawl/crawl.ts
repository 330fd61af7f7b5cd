import { invalidField } from '../../lib/errors.ts';
import { CrawlRun } from './crawl-run.ts';
import { CRAWL_LIMITS, NODE_NAME_CHARACTERS_MAX, PER_SITE_PAGES_LIMIT } from './limits.ts';
import { CrawlLease } from './crawl-lease.ts';
import type { CrawlOptions, CrawlSummary } from './options.ts';

/**
 * Crawls outward from the seeds, politely, and stores which site links to which. All state is in the database, so a
 * killed crawl can be resumed, and several nodes that call this share the work.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlSummary> {
  check(options);
  const limits = { ...CRAWL_LIMITS, ...options.limits };
  if (options.perSitePagesMax !== undefined) limits.perSitePagesMax = options.perSitePagesMax;
  const { db, clock, node: name } = options;
  const lease = await CrawlLease.start({ db, clock, name, limits });
  try {
    const summary = await new CrawlRun(options, limits, lease).run();
    await lease.stop();
    return summary;
  } catch (error) {
    // If the database fails, other nodes take over once this one has been silent.
    await lease.stop().catch(() => undefined);
    throw error;
  }
}

function check({ node, pagesMax = 1, perSitePagesMax = 1 }: CrawlOptions): void {
  if (node === '' || node.length > NODE_NAME_CHARACTERS_MAX) {
    throw invalidField('node', `give a name of 1 to ${NODE_NAME_CHARACTERS_MAX} characters`);
  }
  if (!(Number.isSafeInteger(pagesMax) && pagesMax >= 1)) {
    throw invalidField('pages', 'give a whole number from 1');
  }
  const fits = Number.isSafeInteger(perSitePagesMax) && perSitePagesMax >= 1;
  if (!fits || perSitePagesMax > PER_SITE_PAGES_LIMIT) {
    throw invalidField('pages_per_site', `give a whole number from 1 to ${PER_SITE_PAGES_LIMIT}`);
  }
}
