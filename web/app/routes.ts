import { signal } from '@preact/signals';

/** The path at which the page is served. */
const BASE = '/app/';

/** The part of the URL after `/app/`, without the query. */
export const route = signal(readRoute());
/** The query of the URL, which contains filters, ranges and sorting. */
export const query = signal(new URLSearchParams(location.search));

function readRoute(): string {
  return decoded(location.pathname.slice(BASE.length)).replace(/\/$/, '');
}

/** A decoded part of a URL; unchanged if it is not encoded correctly. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function follow(): void {
  route.value = readRoute();
  query.value = new URLSearchParams(location.search);
}

/** The URL of a route. */
export function hrefOf(to: string): string {
  return BASE + encodeURI(to);
}

interface Going {
  /** Whether Back skips the current route. */
  replace?: boolean;
  /** Parameters of the query. */
  query?: Readonly<Record<string, string>>;
}

/** Opens a route. */
export function navigate(
  to: string,
  { replace = false, query: parameters = {} }: Going = {},
): void {
  const text = new URLSearchParams(parameters).toString();
  const href = hrefOf(to) + (text === '' ? '' : `?${text}`);
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  follow();
}

/**
 * Changes parameters of the query; undefined removes one. Back returns to the previous route, not to the previous
 * filter.
 */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : `?${text}`));
  follow();
}

/** Follows Back and Forward, and links to routes. */
export function startRouting(): void {
  addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.defaultPrevented || !isPlain || !(event.target instanceof Element)) return;
    const link = event.target.closest('a');
    if (!link || link.target !== '' || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || !link.pathname.startsWith(BASE)) return;
    if (link.hash !== '' && link.pathname === location.pathname) return;
    event.preventDefault();
    history.pushState(null, '', link.pathname + link.search);
    follow();
  });
}
