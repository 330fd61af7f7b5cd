import type { Sql } from '../../db/index.ts';
import type { TextInput } from '../graph/import/input.ts';
import type { Release } from '../graph/release/release.ts';
import { reverseName } from '../graph/reversed-name.ts';
import { SITES_COUNTER } from './site-ids.ts';

/** A graph in the text format of the public web graphs, as an import reads it. */
export interface GraphInputs {
  /** Lines `id TAB reversed.domain`. */
  vertices: TextInput;
  /** Lines `from TAB to`. */
  edges: TextInput;
}

/** Rows per query when the whole crawl is streamed. */
const STREAM_ROWS = 5_000;
/** Characters per chunk of a graph's text. */
const TEXT_CHARACTERS = 64 * 1_024;
const encoder = new TextEncoder();

/**
 * The crawled graph as inputs of an import, merged with a release if there is one. The set of domains is fixed at this
 * call, so vertices and edges match while the crawl continues.
 * @returns undefined if nothing was crawled
 */
export async function crawlInputs(db: Sql, base?: Release): Promise<GraphInputs | undefined> {
  const query = 'SELECT value FROM counters WHERE name = $1';
  const [row] = await db.query<{ value: number }>(query, [SITES_COUNTER]);
  const last = row?.value ?? 0;
  if (last === 0) return undefined;
  // The ids of crawled domains follow those of the release. The import merges two ids of one domain into one node.
  const first = base?.nodes ?? 0;
  const label = base ? `release ${base.name} + own crawl` : 'own crawl';
  const version = `${base?.manifest.created ?? ''} to ${last}`;
  const input = (text: TextInput['text']): TextInput => ({ label, version, text });
  return {
    vertices: input(() => joined(base ? vertexLines(base) : [], crawlVertices(db, first, last))),
    edges: input(() => joined(base ? edgeLines(base) : [], crawlEdges(db, first, last))),
  };
}

/** The lines of a release, if any, then those of the crawl. */
async function* joined(
  base: Iterable<string>,
  crawl: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let text = '';
  for (const line of base) {
    text += line;
    if (text.length < TEXT_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
    // Lets other work run: graphs of the whole web take long.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield encoder.encode(text);
  yield* crawl;
}

async function* crawlVertices(sql: Sql, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; after < last; after += STREAM_ROWS) {
    const rows = await sql.query<{ id: number; domain: string }>(
      'SELECT id, domain FROM crawl_sites WHERE id > $1 AND id <= $2 ORDER BY id',
      [after, Math.min(last, after + STREAM_ROWS)],
    );
    const lines = rows.map(({ id, domain }) => `${first + id}\t${reverseName(domain)}\n`);
    yield encoder.encode(lines.join(''));
  }
}

async function* crawlEdges(sql: Sql, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let from = 0, to = 0; ;) {
    const rows = await sql.query<{ from_id: number; to_id: number; links: number }>(
      `SELECT from_id, to_id, links FROM crawl_links
       WHERE (from_id > $1 OR (from_id = $1 AND to_id > $2)) AND from_id <= $3
       ORDER BY from_id, to_id LIMIT ${STREAM_ROWS}`,
      [from, to, last],
    );
    const lines = rows
      .filter((row) => row.links > 0 && row.to_id <= last)
      .map((row) => `${first + row.from_id}\t${first + row.to_id}\n`);
    yield encoder.encode(lines.join(''));
    const end = rows.at(-1);
    if (!end) return;
    from = end.from_id;
    to = end.to_id;
  }
}

function* vertexLines(release: Release): Generator<string> {
  for (let node = 0; node < release.nodes; node++) {
    yield `${node}\t${reverseName(release.nameOf(node))}\n`;
  }
}

function* edgeLines(release: Release): Generator<string> {
  for (let node = 0; node < release.nodes; node++) {
    for (const acceptor of release.acceptors(node)) yield `${node}\t${acceptor}\n`;
  }
}
