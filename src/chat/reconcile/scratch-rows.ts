import { defineTables, type RowOf } from '../../db/index.ts';
import type { Finding } from './report.ts';

export const scratchTables = defineTables({
  /** The lines of the file by their ids, with our answers of each id beside it. */
  file_rows: {
    id: 'TEXT',
    /** The first of the lines with that id. */
    line: 'INTEGER',
    row_count: 'INTEGER',
    day: 'TEXT NULL',
    model: 'TEXT NULL',
    prompt: 'BIGINT NULL',
    completion: 'BIGINT NULL',
    cached: 'BIGINT NULL',
    thought: 'BIGINT NULL',
    our_count: 'INTEGER',
    our_prompt: 'BIGINT',
    our_completion: 'BIGINT',
    our_cached: 'BIGINT NULL',
    our_thought: 'BIGINT NULL',
    our_charged: 'BIGINT',
    our_estimated: 'INTEGER',
    provider: 'TEXT NULL',
    user_id: 'BIGINT NULL',
    message_id: 'BIGINT NULL',
  },
  /** Our answers that have no line. */
  ours: {
    provider: 'TEXT',
    model: 'TEXT',
    user_id: 'BIGINT',
    message_id: 'BIGINT',
    id: 'TEXT',
    day: 'TEXT',
    prompt: 'BIGINT',
    completion: 'BIGINT',
    cached: 'BIGINT NULL',
    thought: 'BIGINT NULL',
    charged: 'BIGINT',
    estimated: 'INTEGER',
  },
});

export type LineRow = RowOf<typeof scratchTables.file_rows.columns>;
export type OurRow = RowOf<typeof scratchTables.ours.columns>;

/** A difference for a line of the file, with the answers of ours that have its id. */
export function lineFinding(kind: 'differing' | 'only_in_file', row: LineRow): Finding {
  const ours = {
    requests: row.our_count,
    promptTokens: row.our_prompt,
    completionTokens: row.our_completion,
    charged: row.our_charged,
    cachedTokens: row.our_cached,
    reasoningTokens: row.our_thought,
    estimated: row.our_estimated > 0,
  };
  return {
    kind,
    day: row.day,
    model: row.model,
    provider: row.provider,
    providerMessageId: row.id,
    line: row.line,
    userId: row.user_id,
    messageId: row.message_id,
    file: {
      requests: row.row_count,
      promptTokens: row.prompt,
      completionTokens: row.completion,
      cachedTokens: row.cached,
      reasoningTokens: row.thought,
    },
    ours: row.our_count > 0 ? ours : null,
  };
}

/** A difference for an answer of ours that the file does not have. */
export function ourFinding(row: OurRow): Finding {
  return {
    kind: 'only_with_us' as const,
    day: row.day,
    model: row.model,
    provider: row.provider,
    providerMessageId: row.id,
    line: null,
    userId: row.user_id,
    messageId: row.message_id,
    file: null,
    ours: {
      requests: 1,
      promptTokens: row.prompt,
      completionTokens: row.completion,
      cachedTokens: row.cached,
      reasoningTokens: row.thought,
      charged: row.charged,
      estimated: row.estimated > 0,
    },
  };
}
