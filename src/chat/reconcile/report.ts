import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';

/** Tokens on one side of a comparison; null: that side does not have the number. */
export interface Counts {
  requests: number;
  promptTokens: number | null;
  completionTokens: number | null;
}

/** Counts of single answers, with the parts that may have prices of their own. */
export interface AnswerCounts extends Counts {
  /** Tokens of the prompt that were read from the provider's cache. */
  cachedTokens?: number | null;
  /** Tokens of the completion that are reasoning. */
  reasoningTokens?: number | null;
}

/** How the two sides may disagree. */
export const findingKinds = ['differing', 'only_in_file', 'only_with_us'] as const;

export type FindingKind = (typeof findingKinds)[number];

/** Something that the two sides do not agree on. */
export interface Finding {
  kind: FindingKind;
  /** `YYYY-MM-DD`, UTC. */
  day: string | null;
  model: string | null;
  provider: string | null;
  /** The provider's id of the answer, where single answers are compared. */
  providerMessageId: string | null;
  /** The line of the file, or the first of several. */
  line: number | null;
  userId: number | null;
  messageId: number | null;
  file: AnswerCounts | null;
  ours: (AnswerCounts & { charged: Micro; estimated: boolean }) | null;
}

export interface Unreadable {
  line: number;
  problem: string;
}

/** What a comparison found, in numbers. */
export interface Totals {
  /** Single answers by the provider's id of them, or sums by day and model. */
  by: 'id' | 'day';
  /** `YYYY-MM-DD`, UTC, both included; null for a file without dates. */
  from: string | null;
  to: string | null;
  /** Codes of our providers that the file is of. */
  providers: string[];
  file: Counts & {
    rows: number;
    unreadable: number;
    /** The exact sum of its costs, in its own currency; null when it has none. */
    cost: string | null;
    /** Lines whose cost can't be read as one, such as a credit; they are not in the sum. */
    costUnread: number;
  };
  ours: Counts & {
    charged: Micro;
    /** Answers whose provider gave no id, so that nothing can be said of them. */
    withoutId: number;
  };
  matched: number;
  differing: number;
  onlyInFile: number;
  /** Null: the file has no dates, so nobody knows which of our messages it should have. */
  onlyWithUs: number | null;
}

/** A finished comparison. Findings come as they are read, so that memory does not grow with them. */
export interface Reconciliation extends AsyncDisposable {
  totals: Totals;
  /** The first lines that could not be read; `totals.file.unreadable` counts all. */
  unreadable: readonly Unreadable[];
  findings(kind: FindingKind): AsyncGenerator<Finding>;
}

export interface ReconcileParts {
  db: Database;
  catalogue: Catalogue;
}

export interface ReconcileAsk {
  /** `FIELD=COLUMN,…` where the headers do not say it. */
  columns?: string | undefined;
  /** Codes of our providers; empty: those that the file turns out to be of. */
  providers: readonly string[];
  /** `FILE_NAME=OUR_NAME` of models, for exports by day. */
  models: readonly string[];
  /** Days, `YYYY-MM-DD`, UTC, both included; absent: as the file has them. */
  from?: string | undefined;
  to?: string | undefined;
}
