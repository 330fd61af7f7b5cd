/**
 * A gateway whose page fetcher finds sites on loopback, and releases of a link graph drawn by hand.
 *
 *   await using world = await openTrustWorld(dialect, { sites: { 'alpha.ru': '<title>Alpha</title>' } });
 *   await world.release('one', [['beta.ru', 'alpha.ru']]);
 *   const line = await world.line(user, 'alpha.ru');
 */
import { afterAll, beforeAll } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../../src/db/index.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import { reverseName } from '../../../src/trust/graph/reversed-name.ts';
import { rankRelease, type SeedLists } from '../../../src/trust/index.ts';
import {
  openGateway,
  type Gateway,
  type GatewayOptions,
  type TestUser,
} from '../../support/gateway.ts';
import { openWeb, type Page, type Web } from '../crawl/web.ts';

/** Which domain links to which. */
export type Links = readonly (readonly [from: string, to: string])[];

/** A port on which nothing listens. */
const NOBODY = 1;

export interface TrustWorldOptions extends GatewayOptions {
  /** Home pages by host; the host in ASCII. A key with a path is another page. */
  sites?: Readonly<Record<string, Page>>;
  /** Hosts that have an address where nothing answers. */
  down?: readonly string[];
}

export interface TrustWorld extends AsyncDisposable {
  gateway: Gateway;
  web: Web;
  /** Imports and ranks a graph, and makes it the current release. */
  release(name: string, links: Links): Promise<void>;
  /** `GET /trast.php` with the user's cookie. @param query replaces or adds fields */
  ask(user: TestUser, url: string, query?: Record<string, string>): Promise<Response>;
  /** The fields of a line that must be a record; h=1 unless told. */
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
  const ask: TrustWorld['ask'] = ({ token }, url, query = {}) => {
    const fields = new URLSearchParams({ url, tp: '3', h: '1', ...query });
    return gateway.fetch(`/trast.php?${fields}`, { headers: cookie(token) });
  };
  const kept = stack.move();
  return {
    ...{ gateway, web, ask },
    release: (name, links) => makeRelease(gateway.core.trust, name, links),
    async fields(user, url, h = '1') {
      const response = await ask(user, url, { h });
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
  return { cookie: `zastava_session=${token}` };
}

interface TrustParts {
  store: GraphStore;
  seeds: SeedLists;
}

/** Imports and ranks a graph, and makes it the current release. */
export async function makeRelease(
  { store, seeds }: TrustParts,
  name: string,
  links: Links,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-links-'));
  try {
    await store.importGraph({ name, ...(await writeGraph(directory, links)) });
  } finally {
    await rm(directory, { recursive: true });
  }
  await rankRelease(store, seeds, systemClock, { name, threads: 1 });
}

/** Writes links in the format of Common Crawl. @returns the paths of the two files */
export async function writeGraph(
  directory: string,
  links: Links,
): Promise<{ vertices: string; edges: string }> {
  const names = [...new Set(links.flat().map(reverseName))].sort();
  const ids = new Map(names.map((reversed, id) => [reverseName(reversed), id]));
  const id = (domain: string) => ids.get(domain) ?? 0;
  const pairs = links.map(([from, to]) => [id(from), id(to)] as const);
  const sorted = pairs.toSorted(([a, b], [c, d]) => a - c || b - d);
  const vertices = join(directory, 'vertices.txt');
  const edges = join(directory, 'edges.txt');
  await Bun.write(vertices, names.map((reversed, at) => `${at}\t${reversed}\t1\n`).join(''));
  await Bun.write(edges, sorted.map((pair) => `${pair.join('\t')}\n`).join(''));
  return { vertices, edges };
}

/** Domains that all link to one, and to each other in a ring. */
export function donorsOf(domain: string, count: number, prefix = 'donor'): [string, string][] {
  const donor = (number: number) => `${prefix}${number % count}.ru`;
  return Array.from({ length: count }, (_, number) => number).flatMap((number) => [
    [donor(number), domain],
    [donor(number), donor(number + 1)],
  ]);
}
