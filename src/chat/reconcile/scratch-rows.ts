import type { Finding } from './report.ts';

/** A line of the file with our answers of its id beside it. */
export interface LineRow {
  id: string;
  line: number;
  row_count: number;
  day: string | null;
  model: string | null;
  prompt: number | null;
  completion: number | null;
  cached: number | null;
  thought: number | null;
  our_count: number;
  our_prompt: number;
  our_completion: number;
  our_cached: number | null;
  our_thought: number | null;
  our_charged: number;
  our_estimated: number;
  provider: string | null;
  user_id: number | null;
  message_id: number | null;
}

/** An answer of ours that has no line. */
export interface OurRow {
  number: number;
  provider: string;
  model: string;
  user_id: number;
  message_id: number;
  id: string;
  day: string;
  prompt: number;
  completion: number;
  cached: number | null;
  thought: number | null;
  charged: number;
  estimated: number;
}

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
