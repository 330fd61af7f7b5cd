import { siteOf } from './identity.ts';

/** Characters of a line that are quoted. */
const QUOTE_MAX = 100;

/** A line of a seed file that names no site. */
export interface BadSeed {
  /** 1-based. */
  line: number;
  text: string;
  message: string;
}

/**
 * Reads a file of seeds: a domain or an address a line; empty lines and lines that begin with `#` are
 * passed over.
 * @returns registrable domains, each once, in their order, and the lines that hold no site
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
