import { hostOf, siteOf } from '../identity.ts';

const QUOTE_MAX = 100;
/** How many bad lines are reported with their text; further ones are only counted. */
const BAD_MAX = 1_000;

/** A line of a list without a site. */
export interface BadSeed {
  /** 1-based. */
  line: number;
  text: string;
  message: string;
}

export interface ListedSites {
  /** Registrable domains without duplicates, in order. */
  domains: string[];
  /** The first thousand lines without a site. */
  bad: BadSeed[];
  /** The number of all lines without a site. */
  badCount: number;
}

/** Collects the sites of a list, and the lines that name none. */
export class SiteCollector {
  readonly #domains = new Set<string>();
  readonly #bad: BadSeed[] = [];
  #badCount = 0;

  /** Adds the site of an address, which may be a host or a page of the site. */
  addSiteOf(line: number, text: string, address: string): void {
    const found = listedSiteOf(address);
    if ('domain' in found) this.#domains.add(found.domain);
    else this.refuse(line, text, found.message);
  }

  /**
   * Adds a site that is named as a whole. Lists made for blockers also name hosts and pages of large sites: because of
   * the ads on a site, the site itself must not be listed.
   */
  addWhole(line: number, text: string, name: string): void {
    const found = listedSiteOf(name);
    if (!('domain' in found)) return this.refuse(line, text, found.message);
    const { domain } = found;
    const address = URL.parse(name.includes('://') ? name : `http://${name}`);
    const host = address?.hostname.replace(/\.$/, '');
    const isWhole = host === domain || host === `www.${domain}`;
    if (!isWhole) this.refuse(line, text, `names a host of ${domain}, not the whole site`);
    else if (address?.pathname !== '/' || address.search !== '') {
      this.refuse(line, text, `names a page of ${domain}, not the whole site`);
    } else this.#domains.add(domain);
  }

  refuse(line: number, text: string, message: string): void {
    if (++this.#badCount <= BAD_MAX) {
      this.#bad.push({ line, text: text.slice(0, QUOTE_MAX), message });
    }
  }

  get sites(): ListedSites {
    return { domains: [...this.#domains], bad: this.#bad, badCount: this.#badCount };
  }
}

/**
 * A list may name a platform such as `github.io`; an entry further below one (`s3.amazonaws.com`) must not mean the
 * whole platform.
 */
function listedSiteOf(address: string): { domain: string } | { message: string } {
  const site = siteOf(address);
  if (site.kind === 'site' || site.reason !== 'public_suffix') return site;
  const platform = siteOf(address, 'icann');
  return platform.kind === 'site' && platform.domain === hostOf(address) ? platform : site;
}
