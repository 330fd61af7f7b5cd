import type { Sql } from '../../db/index.ts';
import {
  labelOf,
  openInput,
  versionOf,
  type GraphInput,
  type TextInput,
} from '../graph/import/input.ts';
import type { Release } from '../graph/release/release.ts';
import { reverseName } from '../graph/reversed-name.ts';
import { STREAM_ROWS, TEXT_CHARACTERS } from './limits.ts';
import { SITES_COUNTER } from './site-ids.ts';

/** A graph in the text format of the public web graphs, as an import takes it. */
export interface GraphInputs {
  /** Lines `id TAB reversed.domain`. */
  vertices: GraphInput;
  /** Lines `from TAB to`. */
  edges: GraphInput;
}

/**
 * Ids of crawled domains begin here when two graphs are merged. An import takes fewer nodes than that, so the ids of a
 * release are all smaller. The import merges two ids of one domain into one node.
 */
const CRAWL_IDS_FROM = 2 ** 29;
const LINE_END = 10;
const encoder = new TextEncoder();

/**
 * The crawled graph as inputs of an import. The set of domains is fixed at this call, so vertices and edges fit each
 * other while the crawl goes on.
 * @returns undefined when nothing was crawled
 */
export async function crawlInputs(db: Sql): Promise<GraphInputs | undefined> {
  const [row] = await db.query<{ value: number }>('SELECT value FROM counters WHERE name = $1', [
    SITES_COUNTER,
  ]);
  const last = row?.value ?? 0;
  if (last === 0) return undefined;
  const version = `to ${last}`;
  return {
    vertices: { label: 'own crawl', version, text: () => verticesText(db, last) },
    edges: { label: 'own crawl', version, text: () => edgesText(db, last) },
  };
}

/** A release as inputs, so that it can be merged without its original files. */
export function releaseInputs(release: Release): GraphInputs {
  const label = `release ${release.name}`;
  const version = release.manifest.created;
  return {
    vertices: { label, version, text: () => releaseVertices(release) },
    edges: { label, version, text: () => releaseEdges(release) },
  };
}

/** The union of two graphs. @param crawl from `crawlInputs` */
export async function mergedInputs(base: GraphInputs, crawl: GraphInputs): Promise<GraphInputs> {
  return {
    vertices: await joined(base.vertices, crawl.vertices),
    edges: await joined(base.edges, crawl.edges),
  };
}

async function joined(first: GraphInput, second: GraphInput): Promise<TextInput> {
  return {
    label: `${labelOf(first)} + ${labelOf(second)}`,
    version: `${await versionOf(first)} + ${await versionOf(second)}`,
    text: () => joinedText(first, second),
  };
}

async function* joinedText(...inputs: readonly GraphInput[]): AsyncGenerator<Uint8Array> {
  const { signal } = new AbortController();
  let last = LINE_END;
  for (const input of inputs) {
    // The last line of a file may have no line end.
    if (last !== LINE_END) yield Uint8Array.of(LINE_END);
    const { text } = await openInput(input, signal);
    for await (const chunk of text) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
}

async function* verticesText(sql: Sql, last: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; after < last; after += STREAM_ROWS) {
    const rows = await sql.query<{ id: number; domain: string }>(
      'SELECT id, domain FROM crawl_sites WHERE id > $1 AND id <= $2 ORDER BY id',
      [after, Math.min(last, after + STREAM_ROWS)],
    );
    const lines = rows.map(({ id, domain }) => `${CRAWL_IDS_FROM + id}\t${reverseName(domain)}\n`);
    yield encoder.encode(lines.join(''));
  }
}

async function* edgesText(sql: Sql, last: number): AsyncGenerator<Uint8Array> {
  for (let from = 0, to = 0; ;) {
    const rows = await sql.query<{ from_id: number; to_id: number; links: number }>(
      `SELECT from_id, to_id, links FROM crawl_links
       WHERE (from_id > $1 OR (from_id = $1 AND to_id > $2)) AND from_id <= $3
       ORDER BY from_id, to_id LIMIT ${STREAM_ROWS}`,
      [from, to, last],
    );
    const lines = rows
      .filter((row) => row.links > 0 && row.to_id <= last)
      .map((row) => `${CRAWL_IDS_FROM + row.from_id}\t${CRAWL_IDS_FROM + row.to_id}\n`);
    yield encoder.encode(lines.join(''));
    const end = rows.at(-1);
    if (!end) return;
    from = end.from_id;
    to = end.to_id;
  }
}

async function* releaseVertices(release: Release): AsyncGenerator<Uint8Array> {
  yield* batched(function* () {
    for (let node = 0; node < release.nodes; node++) {
      yield `${node}\t${reverseName(release.nameOf(node))}\n`;
    }
  });
}

async function* releaseEdges(release: Release): AsyncGenerator<Uint8Array> {
  yield* batched(function* () {
    for (let node = 0; node < release.nodes; node++) {
      for (const acceptor of release.acceptors(node)) yield `${node}\t${acceptor}\n`;
    }
  });
}

async function* batched(lines: () => Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for (const line of lines()) {
    text += line;
    if (text.length < TEXT_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
    // Lets other work run: whole webs take long.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield encoder.encode(text);
}
