import { DomainError, type ErrorDetail } from '../../lib/errors.ts';
import { siteOf } from '../identity.ts';
import { SEEDS_MAX } from './limits.ts';

/** Bad lines that are named in a refusal. */
const BAD_LINES_NAMED = 20;

/**
 * Reads a file of seeds: a domain or an address a line; empty lines and lines that begin with `#` are
 * passed over.
 * @returns registrable domains, each once, in their order
 * @throws DomainError `invalid_request` naming the lines that hold no site, or when there is none at all
 */
export function parseCrawlSeeds(text: string): string[] {
  const domains = new Set<string>();
  const bad: ErrorDetail[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const site = siteOf(line);
    if (site.kind === 'site') domains.add(site.domain);
    else bad.push({ path: `line ${index + 1}`, message: site.message });
  });
  const [first] = bad;
  if (first) {
    const more = bad.length > 1 ? ` (and ${bad.length - 1} more)` : '';
    throw new DomainError('invalid_request', `${first.path}: ${first.message}${more}`, {
      details: bad.slice(0, BAD_LINES_NAMED),
    });
  }
  if (domains.size === 0) throw new DomainError('invalid_request', 'give a domain a line');
  if (domains.size > SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${SEEDS_MAX} domains`);
  }
  return [...domains];
}
