import { DomainError } from '../../lib/errors.ts';
import { readSeedLines, type BadSeed } from '../seed-lines.ts';
import { SEEDS_MAX } from './limits.ts';

/**
 * Reads a file of seeds for a crawl, as a file for the lists is read: lines that hold no site are told and
 * passed over.
 * @throws DomainError `invalid_request` when there is no site at all, or too many
 */
export function parseCrawlSeeds(text: string): { domains: string[]; bad: BadSeed[] } {
  const { domains, bad } = readSeedLines(text);
  if (domains.length === 0) {
    const [first] = bad;
    const why = first ? `; line ${first.line}: ${first.message}` : '';
    throw new DomainError('invalid_request', `there is no site in it: give a domain a line${why}`);
  }
  if (domains.length > SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${SEEDS_MAX} domains`);
  }
  return { domains, bad };
}
