import { domainOfHost } from '../identity.ts';
import type { SiteLinks } from './facts.ts';
import {
  ANCHOR_CHARACTERS_MAX,
  INTERNAL_URLS_MAX,
  INTERNAL_URL_CHARACTERS_MAX,
  LINKS_MAX,
  STUFFED_ANCHOR_WORDS,
} from './limits.ts';
import { hasSpamTerm } from './spam-terms.ts';

export type LinkKind = 'followed' | 'nofollow' | 'ugc' | 'sponsored';

/** Totals of a page's external links. */
export interface LinkTotals {
  internal: number;
  external: number;
  followed: number;
  hidden: number;
  stuffed: number;
  /** Characters of their texts. */
  characters: number;
  /** Of those with text: how many share it with a link to another site. */
  repeatedShare: number;
}

interface OpenLink {
  domain: string;
  text: string;
}

interface AnchorText {
  count: number;
  domain: string;
  isShared: boolean;
}

/** Collects the links of one page, at most `LINKS_MAX`. */
export class LinkCollector {
  readonly #ownDomain: string | null;
  readonly #sites = new Map<string, SiteLinks>();
  readonly #internal = new Set<string>();
  readonly #texts = new Map<string, AnchorText>();
  readonly #totals = {
    internal: 0,
    external: 0,
    followed: 0,
    hidden: 0,
    stuffed: 0,
    characters: 0,
  };
  #seen = 0;
  #open: OpenLink | null = null;

  constructor(ownDomain: string | null) {
    this.#ownDomain = ownDomain;
  }

  get truncated(): boolean {
    return this.#seen > LINKS_MAX;
  }

  /**
   * Begins a link. One that is still open ends here, since links do not nest.
   * @param base what the address is relative to
   */
  begin(href: string, rel: string, base: URL, isHidden: boolean): void {
    this.end();
    this.#seen++;
    if (this.truncated) return;
    const url = URL.parse(href, base.href);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return;
    const domain = domainOfHost(url.hostname);
    if (domain === null) return;
    if (domain === this.#ownDomain) {
      this.#totals.internal++;
      this.#keep(url);
      return;
    }
    const kind = kindOf(rel);
    const site = this.#sites.get(domain) ?? emptyLinks(domain);
    this.#sites.set(domain, site);
    site[kind]++;
    this.#totals.external++;
    if (kind === 'followed') this.#totals.followed++;
    if (isHidden) this.#totals.hidden++;
    this.#open = { domain, text: '' };
  }

  #keep(url: URL): void {
    if (this.#internal.size >= INTERNAL_URLS_MAX) return;
    url.hash = '';
    if (url.href.length <= INTERNAL_URL_CHARACTERS_MAX) this.#internal.add(url.href);
  }

  text(piece: string): void {
    if (this.#open === null) return;
    this.#totals.characters += piece.trim().length;
    const room = ANCHOR_CHARACTERS_MAX - this.#open.text.length;
    if (room > 0) this.#open.text += piece.slice(0, room);
  }

  end(): void {
    const link = this.#open;
    this.#open = null;
    if (link === null) return;
    const text = link.text.trim().replace(/\s+/g, ' ').toLowerCase();
    if (text === '') return;
    if (hasSpamTerm(text) || text.split(' ').length >= STUFFED_ANCHOR_WORDS) this.#totals.stuffed++;
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
      isNofollow ? { ...site, followed: 0, nofollow: site.nofollow + site.followed } : site,
    );
    return sites.sort((a, b) => linkCount(b) - linkCount(a) || (a.domain < b.domain ? -1 : 1));
  }

  internalUrls(): string[] {
    return [...this.#internal];
  }

  totals(): LinkTotals {
    let withText = 0;
    let repeated = 0;
    for (const { count, isShared } of this.#texts.values()) {
      withText += count;
      if (isShared) repeated += count;
    }
    return { ...this.#totals, repeatedShare: withText === 0 ? 0 : repeated / withText };
  }
}

/** How many links lead to a site. */
export function linkCount({ followed, nofollow, ugc, sponsored }: SiteLinks): number {
  return followed + nofollow + ugc + sponsored;
}

function emptyLinks(domain: string): SiteLinks {
  return { domain, followed: 0, nofollow: 0, ugc: 0, sponsored: 0 };
}

/**
 * The strongest word of a `rel`: a paid link is not vouched for, whatever else it says. HTML parts the words by white
 * space; search engines take commas too, so pages have them.
 */
function kindOf(rel: string): LinkKind {
  const words = rel.toLowerCase().split(/[\s,]+/);
  if (words.includes('sponsored')) return 'sponsored';
  if (words.includes('ugc')) return 'ugc';
  return words.includes('nofollow') ? 'nofollow' : 'followed';
}
