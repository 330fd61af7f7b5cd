import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openDatabase,
  prepareInsert,
  prepareUpdate,
  type Database,
  type Table,
} from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { ExportRow } from './export-row.ts';
import type { Finding } from './report.ts';
import {
  lineFinding,
  ourFinding,
  scratchTables,
  type LineRow,
  type OurRow,
} from './scratch-rows.ts';

/** One of our answers, as far as it is compared. */
export interface OurAnswer {
  provider: string;
  model: string;
  userId: number;
  messageId: number;
  providerMessageId: string;
  day: string;
  promptTokens: number;
  completionTokens: number;
  /** Null: the provider reported none. */
  cachedTokens: number | null;
  reasoningTokens: number | null;
  charged: Micro;
  estimated: boolean;
}

/** Findings read at a time. */
const PAGE_ROWS = 500;

const { file_rows: fileRows, ours } = scratchTables;

const createTables = [
  `CREATE TABLE file_rows (${definitionsOf(fileRows)}, PRIMARY KEY (id)) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX file_rows_by_line ON file_rows (line)',
  `CREATE TABLE ours (${definitionsOf(ours)})`,
];

/** Lines with the same id are added up. */
const addLines = prepareInsert(fileRows, {
  onConflict: `ON CONFLICT (id) DO UPDATE SET row_count = row_count + 1,
    prompt = COALESCE(prompt + excluded.prompt, prompt, excluded.prompt),
    completion = COALESCE(completion + excluded.completion, completion, excluded.completion),
    cached = COALESCE(cached + excluded.cached, cached, excluded.cached),
    thought = COALESCE(thought + excluded.thought, thought, excluded.thought)`,
});
const summed = (column: string) =>
  `COALESCE(file_rows.${column} + v.${column}, file_rows.${column}, v.${column})`;
const addOurCounts = prepareUpdate(fileRows, {
  key: ['id'],
  set: ['provider', 'user_id', 'message_id'],
  change: {
    our_count: 'file_rows.our_count + v.our_count',
    our_prompt: 'file_rows.our_prompt + v.our_prompt',
    our_completion: 'file_rows.our_completion + v.our_completion',
    our_charged: 'file_rows.our_charged + v.our_charged',
    our_cached: summed('our_cached'),
    our_thought: summed('our_thought'),
    our_estimated: 'max(file_rows.our_estimated, v.our_estimated)',
  },
  returning: ['id'],
});
const insertOurs = prepareInsert(ours);

function definitionsOf({ columns }: Table): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type.endsWith(' NULL') ? type : `${type} NOT NULL`}`)
    .join(', ');
}

/** A count that one side does not have is not compared: with NULL, `<>` is not true. */
const differs = `our_count > 0 AND (COALESCE(prompt <> our_prompt, FALSE)
  OR COALESCE(completion <> our_completion, FALSE) OR COALESCE(cached <> our_cached, FALSE)
  OR COALESCE(thought <> our_thought, FALSE))`;

/**
 * The lines of an export by their ids, in a temporary database on disk: an export may be larger than memory, and the
 * gateway's database must not be written to.
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
    await db.transaction(async (tx) => {
      for (const statement of createTables) await tx.query(statement);
    });
    return scratch;
  }

  /** Lines with the same id are added up. */
  async addLines(rows: readonly (ExportRow & { id: string })[]): Promise<void> {
    await this.#db.transaction((tx) =>
      addLines(
        tx,
        rows.map(({ id, line, day = null, model = null, ...row }) => ({
          id,
          line,
          row_count: 1,
          day,
          model,
          prompt: row.promptTokens ?? null,
          completion: row.completionTokens ?? null,
          cached: row.cachedTokens ?? null,
          thought: row.reasoningTokens ?? null,
          our_count: 0,
          our_prompt: 0,
          our_completion: 0,
          our_cached: null,
          our_thought: null,
          our_charged: 0,
          our_estimated: 0,
          provider: null,
          user_id: null,
          message_id: null,
        })),
      ),
    );
  }

  /** Puts our answers beside the lines with their ids. @returns those that have no line */
  async match(answers: readonly OurAnswer[]): Promise<OurAnswer[]> {
    const groups = Map.groupBy(answers, ({ providerMessageId }) => providerMessageId);
    const found = await this.#db.transaction((tx) =>
      addOurCounts(
        tx,
        [...groups].map(([id, group]) => ({
          id,
          provider: group[0]?.provider ?? '',
          user_id: group[0]?.userId ?? 0,
          message_id: group[0]?.messageId ?? 0,
          our_count: group.length,
          our_prompt: total(group, 'promptTokens'),
          our_completion: total(group, 'completionTokens'),
          our_charged: total(group, 'charged'),
          our_cached: reported(group, 'cachedTokens'),
          our_thought: reported(group, 'reasoningTokens'),
          our_estimated: Number(group.some(({ estimated }) => estimated)),
        })),
      ),
    );
    const ids = new Set(found.map(({ id }) => id));
    return answers.filter(({ providerMessageId }) => !ids.has(providerMessageId));
  }

  async addOurs(answers: readonly OurAnswer[]): Promise<void> {
    await this.#db.transaction((tx) =>
      insertOurs(
        tx,
        answers.map((answer) => ({
          provider: answer.provider,
          model: answer.model,
          user_id: answer.userId,
          message_id: answer.messageId,
          id: answer.providerMessageId,
          day: answer.day,
          prompt: answer.promptTokens,
          completion: answer.completionTokens,
          cached: answer.cachedTokens,
          thought: answer.reasoningTokens,
          charged: answer.charged,
          estimated: Number(answer.estimated),
        })),
      ),
    );
  }

  async counts(): Promise<{ matched: number; differing: number; onlyInFile: number }> {
    const [row] = await this.#db.query<{ found: number; differing: number; lost: number }>(
      `SELECT COUNT(*) FILTER (WHERE our_count > 0) AS found,
         COUNT(*) FILTER (WHERE ${differs}) AS differing,
         COUNT(*) FILTER (WHERE our_count = 0) AS lost FROM file_rows`,
    );
    const { found = 0, differing = 0, lost = 0 } = row ?? {};
    return { matched: found - differing, differing, onlyInFile: lost };
  }

  /** In the order of the file. */
  async *lines(kind: 'differing' | 'only_in_file'): AsyncGenerator<Finding> {
    const where = kind === 'differing' ? differs : 'our_count = 0';
    for (let after = 0; ;) {
      const page = await this.#db.query<LineRow>(
        `SELECT * FROM file_rows WHERE line > $1 AND ${where} ORDER BY line LIMIT ${PAGE_ROWS}`,
        [after],
      );
      yield* page.map((row) => lineFinding(kind, row));
      const last = page.at(-1);
      if (!last || page.length < PAGE_ROWS) return;
      after = last.line;
    }
  }

  /** In the order of our messages. */
  async *ours(providers: ReadonlySet<string>): AsyncGenerator<Finding> {
    for (let after = 0; ;) {
      const page = await this.#db.query<OurRow & { number: number }>(
        `SELECT rowid AS number, * FROM ours WHERE rowid > $1 ORDER BY rowid LIMIT ${PAGE_ROWS}`,
        [after],
      );
      yield* page.filter(({ provider }) => providers.has(provider)).map(ourFinding);
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

function total(
  answers: readonly OurAnswer[],
  field: 'promptTokens' | 'completionTokens' | 'charged',
): number {
  return answers.reduce((sum, answer) => sum + answer[field], 0);
}

/** Null: unknown for all of them. */
function reported(
  answers: readonly OurAnswer[],
  field: 'cachedTokens' | 'reasoningTokens',
): number | null {
  const counts = answers.map((answer) => answer[field]).filter((count) => count !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
