import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertRows, openDatabase, updateRows, type Database } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { ExportRow } from './export-row.ts';
import type { Finding } from './report.ts';
import { lineFinding, ourFinding, type LineRow, type OurRow } from './scratch-rows.ts';

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

/** `line` is the first of the lines with that id. */
const tables = [
  `CREATE TABLE file_rows (
     id TEXT PRIMARY KEY, line INTEGER NOT NULL, row_count INTEGER NOT NULL, day TEXT, model TEXT,
     prompt BIGINT, completion BIGINT, cached BIGINT, thought BIGINT,
     our_count INTEGER NOT NULL, our_prompt BIGINT NOT NULL, our_completion BIGINT NOT NULL,
     our_cached BIGINT, our_thought BIGINT,
     our_charged BIGINT NOT NULL, our_estimated INTEGER NOT NULL,
     provider TEXT, user_id BIGINT, message_id BIGINT
   ) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX file_rows_by_line ON file_rows (line)',
  `CREATE TABLE ours (
     number INTEGER PRIMARY KEY, provider TEXT NOT NULL, model TEXT NOT NULL, user_id BIGINT NOT NULL,
     message_id BIGINT NOT NULL, id TEXT NOT NULL, day TEXT NOT NULL, prompt BIGINT NOT NULL,
     completion BIGINT NOT NULL, cached BIGINT, thought BIGINT, charged BIGINT NOT NULL, estimated INTEGER NOT NULL
   )`,
];

/** What is unknown on one side is not compared: with NULL, `<>` is not true. */
const differs = `our_count > 0 AND (COALESCE(prompt <> our_prompt, FALSE)
  OR COALESCE(completion <> our_completion, FALSE) OR COALESCE(cached <> our_cached, FALSE)
  OR COALESCE(thought <> our_thought, FALSE))`;

/**
 * The lines of an export by their ids, in a database of their own on the disk: an export may have more of
 * them than memory holds, and the gateway's database shall not be written to.
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
      for (const table of tables) await tx.query(table);
    });
    return scratch;
  }

  /** Lines with the same id are added up. */
  async addLines(rows: readonly (ExportRow & { id: string })[]): Promise<void> {
    await this.#db.transaction((tx) =>
      insertRows(
        tx,
        `file_rows (id, line, row_count, day, model, prompt, completion, cached, thought,
           our_count, our_prompt, our_completion, our_charged, our_estimated)`,
        14,
        rows.map(({ id, line, day = null, model = null, ...row }) => [
          id,
          line,
          1,
          day,
          model,
          row.promptTokens ?? null,
          row.completionTokens ?? null,
          row.cachedTokens ?? null,
          row.reasoningTokens ?? null,
          0,
          0,
          0,
          0,
          0,
        ]),
        ` ON CONFLICT (id) DO UPDATE SET row_count = row_count + 1,
            prompt = COALESCE(prompt + excluded.prompt, prompt, excluded.prompt),
            completion = COALESCE(completion + excluded.completion, completion, excluded.completion),
            cached = COALESCE(cached + excluded.cached, cached, excluded.cached),
            thought = COALESCE(thought + excluded.thought, thought, excluded.thought)`,
      ),
    );
  }

  /** Puts our answers beside the lines with their ids. @returns those that have no line */
  async match(answers: readonly OurAnswer[]): Promise<OurAnswer[]> {
    const groups = Map.groupBy(answers, ({ providerMessageId }) => providerMessageId);
    const found = await this.#db.transaction((tx) =>
      updateRows<{ id: string }>(
        tx,
        {
          key: 'TEXT',
          n: 'BIGINT',
          p: 'BIGINT',
          c: 'BIGINT',
          charged: 'BIGINT',
          hit: 'BIGINT',
          thought: 'BIGINT',
          guess: 'BIGINT',
          code: 'TEXT',
          uid: 'BIGINT',
          mid: 'BIGINT',
        },
        `UPDATE file_rows SET our_count = our_count + v.n, our_prompt = our_prompt + v.p,
           our_completion = our_completion + v.c, our_charged = our_charged + v.charged,
           our_cached = COALESCE(our_cached + v.hit, our_cached, v.hit),
           our_thought = COALESCE(our_thought + v.thought, our_thought, v.thought),
           our_estimated = max(our_estimated, v.guess), provider = v.code, user_id = v.uid,
           message_id = v.mid
         FROM v WHERE id = v.key RETURNING id`,
        [...groups].map(([id, group]) => [
          id,
          group.length,
          total(group, 'promptTokens'),
          total(group, 'completionTokens'),
          total(group, 'charged'),
          told(group, 'cachedTokens'),
          told(group, 'reasoningTokens'),
          Number(group.some(({ estimated }) => estimated)),
          group[0]?.provider ?? '',
          group[0]?.userId ?? 0,
          group[0]?.messageId ?? 0,
        ]),
      ),
    );
    const ids = new Set(found.map(({ id }) => id));
    return answers.filter(({ providerMessageId }) => !ids.has(providerMessageId));
  }

  async addOurs(answers: readonly OurAnswer[]): Promise<void> {
    await this.#db.transaction((tx) =>
      insertRows(
        tx,
        `ours (provider, model, user_id, message_id, id, day, prompt, completion, cached, thought,
           charged, estimated)`,
        12,
        answers.map((answer) => [
          answer.provider,
          answer.model,
          answer.userId,
          answer.messageId,
          answer.providerMessageId,
          answer.day,
          answer.promptTokens,
          answer.completionTokens,
          answer.cachedTokens,
          answer.reasoningTokens,
          answer.charged,
          Number(answer.estimated),
        ]),
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
      const page = await this.#db.query<OurRow>(
        `SELECT * FROM ours WHERE number > $1 ORDER BY number LIMIT ${PAGE_ROWS}`,
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
function told(
  answers: readonly OurAnswer[],
  field: 'cachedTokens' | 'reasoningTokens',
): number | null {
  const counts = answers.map((answer) => answer[field]).filter((count) => count !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
