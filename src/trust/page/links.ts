import { domainOfHost } from '../identity.ts';
import type { PageSignals } from '../score/verdict.ts';
import type { SiteLinks } from './facts.ts';

/** How many links of a page are read. */
export const LINKS_MAX = 5_000;
/** How many links within the site are kept for a crawler, and how long one may be. */
const INTERNAL_URLS_MAX = 2_000;
const INTERNAL_URL_CHARACTERS_MAX = 1_000;
const ANCHOR_CHARACTERS_MAX = 200;

/**
 * Words of a `rel` that withdraw the page's vote from a link. HTML separates words by white space, many pages by
 * commas.
 */
const UNFOLLOWED = /(?:^|[\s,])(?:nofollow|ugc|sponsored)(?:[\s,]|$)/i;

interface AnchorText {
  count: number;
  domain: string;
  /** Another link with this text leads to another site. */
  isShared: boolean;
}

/** Collects the links of one page, at most `LINKS_MAX`. */
export class LinkCollector {
  readonly #ownDomain: string | null;
  readonly #sites = new Map<string, SiteLinks>();
  readonly #internal = new Set<string>();
  readonly #texts = new Map<string, AnchorText>();
  #hidden = 0;
  #seen = 0;
  #open: { domain: string; text: string } | null = null;

  constructor(ownDomain: string | null) {
    this.#ownDomain = ownDomain;
  }

  /** Begins a link; links do not nest. @returns whether it leads to a page of this site */
  begin(url: URL, rel: string, isHidden: boolean): boolean {
    if (++this.#seen > LINKS_MAX) return false;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    const domain = domainOfHost(url.hostname);
    if (domain === null) return false;
    if (domain === this.#ownDomain) {
      this.#addInternal(url);
      return true;
    }
    const site = this.#sites.get(domain) ?? { domain, followed: 0, unfollowed: 0 };
    this.#sites.set(domain, site);
    site[UNFOLLOWED.test(rel) ? 'unfollowed' : 'followed']++;
    if (isHidden) this.#hidden++;
    this.#open = { domain, text: '' };
    return false;
  }

  #addInternal(url: URL): void {
    if (this.#internal.size >= INTERNAL_URLS_MAX) return;
    url.hash = '';
    if (url.href.length <= INTERNAL_URL_CHARACTERS_MAX) this.#internal.add(url.href);
  }

  text(piece: string): void {
    if (this.#open === null) return;
    const room = ANCHOR_CHARACTERS_MAX - this.#open.text.length;
    if (room > 0) this.#open.text += piece.slice(0, room);
  }

  end(): void {
    const link = this.#open;
    this.#open = null;
    if (link === null) return;
    const text = link.text.trim().replace(/\s+/g, ' ').toLowerCase();
    if (text === '') return;
    const known = this.#texts.get(text);
    if (!known) this.#texts.set(text, { count: 1, domain: link.domain, isShared: false });
    else {
      known.count++;
      known.isShared ||= known.domain !== link.domain;
    }
  }

  /** The links by site, most linked first. @param isNofollow the page vouches for none of them */
  sites(isNofollow: boolean): SiteLinks[] {
    const sites = [...this.#sites.values()].map((site) =>
      isNofollow ? { domain: site.domain, followed: 0, unfollowed: linkCount(site) } : site,
    );
    return sites.sort((a, b) => linkCount(b) - linkCount(a) || (a.domain < b.domain ? -1 : 1));
  }

  internalUrls(): string[] {
    return [...this.#internal];
  }

  features(): PageSignals {
    let withText = 0;
    let repeated = 0;
    for (const { count, isShared } of this.#texts.values()) {
      withText += count;
      if (isShared) repeated += count;
    }
    return {
      hiddenLinks: this.#hidden,
      externalDomains: this.#sites.size,
      repeatedAnchorShare: withText === 0 ? 0 : repeated / withText,
    };
  }
}

function linkCount({ followed, unfollowed }: SiteLinks): number {
  return followed + unfollowed;
}
