import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { crawl } from '../../../src/trust/crawl/crawl.ts';
import { crawlInputs } from '../../../src/trust/crawl/graph-inputs.ts';
import { parseCrawlSeeds } from '../../../src/trust/seeds.ts';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import type { Release } from '../../../src/trust/graph/release/release.ts';
import { dialects, openTestDatabase } from '../../support/databases.ts';
import { drawnEdges, drawnPages, drawnSeeds } from './drawn-web.ts';
import { openWeb } from './web.ts';

const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-crawl-'));
  directories.push(directory);
  return directory;
}

/** The last line end is missing on purpose. */
async function publicGraph(directory: string): Promise<{ vertices: string; edges: string }> {
  const vertices = join(directory, 'vertices.txt');
  const edges = join(directory, 'edges.txt');
  await Bun.write(vertices, '0\tcom.beta\t3\n1\torg.other\t1\n2\tru.alpha\t2');
  await Bun.write(edges, Bun.gzipSync('1\t0\n2\t0\n2\t1'));
  return { vertices, edges };
}

function edgesOf(release: Release): string[] {
  const edges: string[] = [];
  for (let node = 0; node < release.nodes; node++) {
    for (const to of release.acceptors(node)) {
      edges.push(`${release.nameOf(node)} ${release.nameOf(to)}`);
    }
  }
  return edges.sort();
}

const ownEdges = drawnEdges.map(([from, to]) => `${from} ${to}`);
const publicEdges = ['other.org beta.com', 'alpha.ru beta.com', 'alpha.ru other.org'];

for (const dialect of dialects) {
  describe(`${dialect}: releases of a crawl`, () => {
    test('contain the crawl, alone or merged with a release', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      expect(await crawlInputs(db)).toBeUndefined();
      await using web = openWeb(drawnPages);
      const limits = { spacingMs: 0, pollMs: 10 };
      const options = { db, clock: systemClock, fetch: web.fetcher(), limits };
      await crawl({ ...options, node: 'test', seeds: drawnSeeds });

      const directory = await emptyDirectory();
      const store = new GraphStore(join(directory, 'graph'));
      const own = await crawlInputs(db);
      if (!own) throw new Error('nothing was crawled');
      const manifest = await store.importGraph({ name: 'own', ...own });
      expect(manifest.left_out.edge_lines.count).toBe(0);
      expect(edgesOf(store.open('own'))).toEqual(ownEdges.toSorted());

      await store.importGraph({ name: 'public', ...(await publicGraph(directory)) });
      const merged = await crawlInputs(db, store.open('public'));
      if (!merged) throw new Error('nothing was crawled');
      await store.importGraph({ name: 'both', ...merged });
      const both = store.open('both');
      expect(edgesOf(both)).toEqual([...new Set([...ownEdges, ...publicEdges])].sort());
      expect(both.donorCount(both.find('beta.com') ?? -1)).toBe(2);
    });

    test('leave out domains found during the import, with their links', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await using web = openWeb(drawnPages);
      const limits = { spacingMs: 0, pollMs: 10 };
      const options = { db, clock: systemClock, fetch: web.fetcher(), limits, node: 'test' };
      await crawl({ ...options, seeds: ['you.github.io'], pagesMax: 1 });
      const early = await crawlInputs(db);
      if (!early) throw new Error('nothing was crawled');
      await crawl({ ...options, seeds: drawnSeeds });
      const store = new GraphStore(await emptyDirectory());
      const manifest = await store.importGraph({ name: 'early', ...early });
      expect(manifest.left_out).toMatchObject({
        vertex_lines: { count: 0 },
        edge_lines: { count: 0 },
      });
      expect(edgesOf(store.open('early'))).toEqual(['you.github.io alpha.ru']);
    });
  });
}

describe('a list of seeds', () => {
  test('holds domains or addresses, without duplicates', () => {
    const text = '# ours\nexample.com\r\n\nhttps://www.Example.com/page\n  пример.рф\n';
    const domains = ['example.com', 'xn--e1afmkfd.xn--p1ai'];
    expect(parseCrawlSeeds(text)).toEqual({ domains, bad: [], badCount: 0 });
  });

  test('may have lines without a site, which are reported', () => {
    const { domains, bad } = parseCrawlSeeds('a.ru\n127.0.0.1\nb.ru\nco.uk');
    expect(domains).toEqual(['a.ru', 'b.ru']);
    expect(bad).toEqual([
      { line: 2, text: '127.0.0.1', message: expect.stringContaining('IP address') },
      { line: 4, text: 'co.uk', message: expect.stringContaining('public suffix') },
    ]);
  });

  test('is refused without any site', () => {
    expect(() => parseCrawlSeeds('# nothing\n')).toThrow('give one domain per line');
    expect(() => parseCrawlSeeds('\nco.uk\nru')).toThrow('per line; line 2: give a domain below');
  });
});
