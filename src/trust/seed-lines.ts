import { DomainError } from '../lib/errors.ts';
import { siteOf } from './identity.ts';

/** Characters of a line that are quoted. */
const QUOTE_MAX = 100;
/** Seeds of one crawl. */
const CRAWL_SEEDS_MAX = 1_000_000;

/** A line of a seed file without a site. */
export interface BadSeed {
  /** 1-based. */
  line: number;
  text: string;
  message: string;
}

/**
 * Parses a file of seeds: one domain or address per line. Empty lines and lines that begin with `#` are skipped.
 * @returns registrable domains without duplicates, in order, and the lines without a site
 */
export function readSeedLines(text: string): { domains: string[]; bad: BadSeed[] } {
  const domains = new Set<string>();
  const bad: BadSeed[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const site = siteOf(line);
    if (site.kind === 'site') domains.add(site.domain);
    else bad.push({ line: index + 1, text: line.slice(0, QUOTE_MAX), message: site.message });
  });
  return { domains: [...domains], bad };
}

/**
 * Parses a file of seeds for a crawl, in the format of `readSeedLines`. Lines without a site are reported and skipped.
 * @throws DomainError `invalid_request` when there is no site at all, or when there are too many
 */
export function parseCrawlSeeds(text: string): { domains: string[]; bad: BadSeed[] } {
  const { domains, bad } = readSeedLines(text);
  if (domains.length === 0) {
    const [first] = bad;
    const why = first ? `; line ${first.line}: ${first.message}` : '';
    throw new DomainError(
      'invalid_request',
      `the file names no site: give one domain per line${why}`,
    );
  }
  if (domains.length > CRAWL_SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${CRAWL_SEEDS_MAX} domains`);
  }
  return { domains, bad };
}
