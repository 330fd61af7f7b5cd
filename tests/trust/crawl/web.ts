/** A small web on loopback: sites under any host names, and a record of all requests. */
import { GuardedFetch } from '../../../src/trust/page/guarded-fetch.ts';
import type { FetchLimits } from '../../../src/trust/page/limits.ts';
import { parseFetchAllow, parseFetchResolve } from '../../../src/trust/page/settings.ts';
import { systemClock, type Clock } from '../../../src/lib/clock.ts';

/** A body of HTML, or an answer of any kind. */
export type Page = string | (() => Response | Promise<Response>);

/** By `host/path`, such as `alpha.ru/` or `alpha.ru/robots.txt`; other paths are 404. */
export type Pages = Readonly<Record<string, Page>>;

export interface Hit {
  host: string;
  path: string;
  /** Milliseconds of the monotonic clock that the web was given. */
  at: number;
}

export interface Web extends AsyncDisposable {
  hits: Hit[];
  /** ZASTAVA_FETCH_RESOLVE of this web. */
  resolve: string;
  fetcher(limits?: Partial<FetchLimits>): GuardedFetch;
  /** `host/path` of all requests but those for robots.txt, sorted. */
  visited(): string[];
}

/** @param hosts names besides those of `pages` that resolve to this server */
export function openWeb(pages: Pages, clock: Clock = systemClock, hosts: string[] = []): Web {
  const hits: Hit[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const url = new URL(request.url);
      const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '');
      hits.push({ host, path: url.pathname, at: clock.monotonic() });
      return answer(pages[`${host}${url.pathname}`] ?? pages[`${host}/*`]);
    },
  });
  const names = new Set([...Object.keys(pages).map((key) => key.replace(/\/.*/, '')), ...hosts]);
  const resolve = [...names].map((host) => `${host}:80=127.0.0.1:${server.port}`).join(',');
  return {
    hits,
    resolve,
    fetcher: (limits) => fetcherOf(resolve, clock, limits),
    visited: () =>
      hits
        .filter(({ path }) => path !== '/robots.txt')
        .map(({ host, path }) => host + path)
        .sort(),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Reaches only the web of that setting. */
export function fetcherOf(
  resolve: string,
  clock: Clock = systemClock,
  limits: Partial<FetchLimits> = {},
): GuardedFetch {
  return new GuardedFetch({
    clock,
    allow: parseFetchAllow('127.0.0.0/8'),
    resolve: parseFetchResolve(resolve),
    resolver: (host) => Promise.reject(new Error(`${host} is not in this web`)),
    limits: { siteBudgetRequests: 10_000, ...limits },
  });
}

function answer(content: Page | undefined): Response | Promise<Response> {
  if (content === undefined) return new Response('not here', { status: 404 });
  if (typeof content !== 'string') return content();
  const type = content.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain';
  return new Response(content, { headers: { 'content-type': type } });
}

/** A page with links. A `rel` follows after a space: `https://b.ru/ nofollow`. */
export function page(...links: string[]): string {
  const anchors = links.map((link) => {
    const [href = '', ...rel] = link.split(' ');
    return `<a href="${href}"${rel.length > 0 ? ` rel="${rel.join(' ')}"` : ''}>x</a>`;
  });
  return `<!doctype html><title>t</title><body>${anchors.join('\n')}</body>`;
}

export function redirect(to: string, status = 301): Page {
  return () => new Response(null, { status, headers: { location: to } });
}
