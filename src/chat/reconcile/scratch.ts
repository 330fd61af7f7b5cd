import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defineTables,
  openDatabase,
  prepareInsert,
  queryIn,
  type Database,
} from '../../db/index.ts';
import { kindOf, merged, type Comparison, type Finding, type FindingKind } from './comparison.ts';

const PAGE_ROWS = 500;

const { comparisons } = defineTables({
  comparisons: {
    /** The key of lines in the file, with our answers beside them; null for our answers without a line. */
    key: 'TEXT NULL',
    kind: 'TEXT',
    provider: 'TEXT NULL',
    content: 'TEXT',
  },
});

const createTable = `CREATE TABLE comparisons (number INTEGER PRIMARY KEY, key TEXT UNIQUE,
  kind TEXT NOT NULL, provider TEXT, content TEXT NOT NULL)`;

const write = prepareInsert(comparisons, {
  onConflict: `ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, provider = excluded.provider,
    content = excluded.content`,
});

/**
 * Comparisons of single answers, in a temporary database on disk: an export may be larger than memory, and the gateway's
 * database must not be written to.
 */
export class Scratch implements AsyncDisposable {
  readonly #folder: string;
  readonly #db: Database;

  private constructor(folder: string, db: Database) {
    this.#folder = folder;
    this.#db = db;
  }

  static async open(): Promise<Scratch> {
    const folder = await mkdtemp(join(tmpdir(), 'zastava-reconcile-'));
    const db = openDatabase({ kind: 'sqlite', path: join(folder, 'rows.db') });
    const scratch = new Scratch(folder, db);
    await db.transaction((tx) => tx.query(createTable));
    return scratch;
  }

  /** Lines with the same key are added up. */
  async addLines(lines: readonly Comparison[]): Promise<void> {
    await this.#merge(await this.#known(lines), lines);
  }

  /** Matches our answers with the lines by their keys. @returns the answers that have a line */
  async match<Side extends Comparison>(answers: readonly Side[]): Promise<Set<Side>> {
    const known = await this.#known(answers);
    const matched = answers.filter(({ key }) => key !== null && known.has(key));
    await this.#merge(known, matched);
    return new Set(matched);
  }

  async addOurs(answers: readonly Comparison[]): Promise<void> {
    await this.#db.transaction((tx) =>
      write(
        tx,
        answers.map((one) => rowOf(null, one)),
      ),
    );
  }

  async #known(wanted: readonly Comparison[]): Promise<Map<string, Comparison>> {
    const keys = wanted.map(({ key }) => key).filter((key) => key !== null);
    const text = 'SELECT key, content FROM comparisons WHERE key IN (LIST)';
    const rows = await queryIn<{ key: string; content: string }>(this.#db, text, keys);
    return new Map(rows.map(({ key, content }) => [key, JSON.parse(content) as Comparison]));
  }

  async #merge(known: Map<string, Comparison>, more: readonly Comparison[]): Promise<void> {
    const changed = new Map<string | null, Comparison>();
    for (const one of more) {
      const before = changed.get(one.key) ?? known.get(one.key ?? '');
      changed.set(one.key, before ? merged(before, one) : one);
    }
    const rows = [...changed].map(([key, one]) => rowOf(key, one));
    await this.#db.transaction((tx) => write(tx, rows));
  }

  /** How many comparisons there are of each kind and provider. */
  counts(): Promise<{ kind: FindingKind | 'matched'; provider: string | null; count: number }[]> {
    return this.#db.query(
      'SELECT kind, provider, COUNT(*) AS count FROM comparisons GROUP BY kind, provider',
    );
  }

  /** In the order of the file, or else of our messages. @param providers `only_with_us` lists only their answers */
  async *findings(kind: FindingKind, providers: readonly string[]): AsyncGenerator<Finding> {
    for (let after = 0; ;) {
      const page = await this.#db.query<{ number: number; content: string }>(
        `SELECT number, content FROM comparisons WHERE number > $1 AND kind = $2
         ORDER BY number LIMIT ${PAGE_ROWS}`,
        [after, kind],
      );
      for (const { content } of page) {
        const one = JSON.parse(content) as Comparison;
        const isOther = kind === 'only_with_us' && !providers.includes(one.provider ?? '');
        if (!isOther) yield { ...one, kind };
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE_ROWS) return;
      after = last.number;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function rowOf(key: string | null, one: Comparison) {
  return { key, kind: kindOf(one), provider: one.provider, content: JSON.stringify(one) };
}
