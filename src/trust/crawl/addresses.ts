import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import type { CrawlLimits } from './limits.ts';

/** Files that hold no links of a page, by the ends of their names. */
const NO_PAGE =
  /\.(?:7z|apk|avi|bmp|css|csv|dmg|docx?|exe|gif|gz|ico|iso|jpe?g|js|json|mov|mp[34]|mpe?g|ogg|pdf|png|pptx?|rar|rss|svg|swf|tar|tiff?|txt|wav|webm|webp|woff2?|xlsx?|xml|zip)$/i;

/**
 * The addresses of a page that are to be read later: of the same site, new, and within bounds. A server
 * can make up pages and host names without end.
 * @param known addresses that were found before, those of this page among them
 */
export function addressesOf(
  facts: PageFacts,
  domain: string,
  known: ReadonlySet<string>,
  limits: CrawlLimits,
): string[] {
  const hosts = new Set([...known].map((address) => new URL(address).hostname));
  const room = limits.perSitePagesMax * limits.addressesPerPage - known.size;
  const found = new Set<string>();
  const wanted = facts.robots.nofollow ? [] : facts.internalUrls;
  for (const address of [...refreshOf(facts), ...wanted]) {
    if (found.size >= room) break;
    const url = followable(address, domain, limits);
    if (!url || known.has(url.href)) continue;
    if (!hosts.has(url.hostname) && hosts.size >= limits.hostsPerSiteMax) continue;
    hosts.add(url.hostname);
    found.add(url.href);
  }
  return [...found];
}

/** The other site that a page sends its readers to by itself. */
export function refreshDomain(facts: PageFacts, domain: string): string[] {
  const [address] = refreshOf(facts);
  const url = address === undefined ? null : URL.parse(address);
  const target = url === null ? null : domainOfHost(url.hostname);
  return target === null || target === domain ? [] : [target];
}

function refreshOf({ refresh }: PageFacts): string[] {
  return refresh === null ? [] : [refresh];
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
