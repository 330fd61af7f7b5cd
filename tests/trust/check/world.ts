/**
 * A gateway whose page fetcher finds sites on loopback, and releases of a link graph drawn by hand.
 *
 *   await using world = await openTrustWorld(dialect, { sites: { 'alpha.ru': '<title>Alpha</title>' } });
 *   await world.release('one', [['beta.ru', 'alpha.ru']]);
 *   const line = await world.line(user, 'alpha.ru');
 */
import { afterAll, beforeAll } from 'bun:test';
import type { Dialect } from '../../../src/db/index.ts';
import {
  GATEWAY_SECRET,
  openGateway,
  type Gateway,
  type GatewayOptions,
  type TestUser,
} from '../../support/gateway.ts';
import { legacyCookie } from '../../support/legacy-cookie.ts';
import { openWeb, type Page, type Web } from '../crawl/web.ts';
import { makeRelease, type Links } from './links.ts';

/** A port on which nothing listens. */
const NOBODY = 1;

export interface TrustWorldOptions extends GatewayOptions {
  /** Home pages by host; the host in ASCII. A key with a path is another page. */
  sites?: Readonly<Record<string, Page>>;
  /** Hosts that resolve to an address where nothing answers. */
  down?: readonly string[];
}

export interface TrustWorld extends AsyncDisposable {
  gateway: Gateway;
  web: Web;
  /** Imports and ranks a graph, and makes it the current release. */
  release(name: string, links: Links): Promise<void>;
  /** `GET /trast.php` with the user's cookie. @param query replaces or adds fields */
  check(user: TestUser, url: string, query?: Record<string, string>): Promise<Response>;
  /** The fields of a line that must be a record; h=1 by default. */
  fields(user: TestUser, url: string, h?: '0' | '1' | '2'): Promise<string[]>;
}

export async function openTrustWorld(
  dialect: Dialect,
  { sites = {}, down = [], ...options }: TrustWorldOptions = {},
): Promise<TrustWorld> {
  await using stack = new AsyncDisposableStack();
  const pages = Object.entries(sites).map(([key, page]) => [
    key.includes('/') ? key : `${key}/`,
    page,
  ]);
  const web = stack.use(openWeb(Object.fromEntries(pages), options.clock));
  const resolve = [web.resolve, ...down.map((host) => `${host}:80=127.0.0.1:${NOBODY}`)];
  const env = {
    ZASTAVA_FETCH_ALLOW: '127.0.0.0/8',
    ZASTAVA_FETCH_RESOLVE: resolve.filter((item) => item !== '').join(','),
    ...options.env,
  };
  const gateway = stack.use(await openGateway(dialect, { ...options, env }));
  const check: TrustWorld['check'] = ({ token }, url, query = {}) => {
    const fields = new URLSearchParams({ url, tp: '3', h: '1', ...query });
    return gateway.fetch(`/trast.php?${fields.toString()}`, { headers: cookie(token) });
  };
  const kept = stack.move();
  return {
    gateway,
    web,
    check,
    release: (name, links) => makeRelease(gateway.core.trust, name, links),
    async fields(user, url, h = '1') {
      const response = await check(user, url, { h });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
      return text.split('|');
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** One world for all tests of a `describe`. */
export function sharedTrustWorld(
  dialect: Dialect,
  options: TrustWorldOptions,
  prepare: (world: TrustWorld) => Promise<void> = () => Promise.resolve(),
): () => TrustWorld {
  let world: TrustWorld | undefined;
  beforeAll(async () => {
    world = await openTrustWorld(dialect, options);
    await prepare(world);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  return () => {
    if (!world) throw new Error('the world is open only while tests run');
    return world;
  };
}

export function cookie(token: string): { cookie: string } {
  return legacyCookie(token, GATEWAY_SECRET);
}
