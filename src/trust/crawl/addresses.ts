import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import type { CrawlLimits } from './limits.ts';

/** File name extensions of files without links. */
const NO_PAGE =
  /\.(?:7z|apk|avi|bmp|css|csv|dmg|docx?|exe|gif|gz|ico|iso|jpe?g|js|json|mov|mp[34]|mpe?g|ogg|pdf|png|pptx?|rar|rss|svg|swf|tar|tiff?|txt|wav|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/**
 * The URLs on a page to read later: they are on the same site, new, and within the limits, since a server can invent
 * pages and host names without end.
 * @param known the URLs found before, including that of this page
 */
export function addressesOf(
  { refresh, nofollow, internalUrls }: PageFacts,
  domain: string,
  known: ReadonlySet<string>,
  limits: CrawlLimits,
): string[] {
  const hosts = new Set([...known].map((address) => new URL(address).hostname));
  const room = limits.perSitePagesMax * limits.addressesPerPage - known.size;
  const found = new Set<string>();
  const wanted = nofollow ? [] : internalUrls;
  for (const address of refresh === null ? wanted : [refresh, ...wanted]) {
    if (found.size >= room) break;
    const url = followable(address, domain, limits);
    if (!url || known.has(url.href)) continue;
    if (!hosts.has(url.hostname) && hosts.size >= limits.hostsPerSiteMax) continue;
    hosts.add(url.hostname);
    found.add(url.href);
  }
  return [...found];
}

/** The other site that the page's refresh leads to, if any. */
export function refreshDomain({ refresh }: PageFacts, domain: string): string[] {
  const url = refresh === null ? null : URL.parse(refresh);
  const target = url === null ? null : domainOfHost(url.hostname);
  return target === null || target === domain ? [] : [target];
}

function followable(address: string, domain: string, limits: CrawlLimits): URL | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.port !== '' || NO_PAGE.test(url.pathname)) return undefined;
  if (domainOfHost(url.hostname) !== domain) return undefined;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href.length <= limits.urlCharactersMax ? url : undefined;
}
