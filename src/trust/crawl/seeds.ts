import { DomainError } from '../../lib/errors.ts';
import { readSeedLines, type BadSeed } from '../seed-lines.ts';
import { SEEDS_MAX } from './limits.ts';

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
  if (domains.length > SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${SEEDS_MAX} domains`);
  }
  return { domains, bad };
}
