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

/** How the two sides may differ. */
export const findingKinds = ['differing', 'only_in_file', 'only_with_us'] as const;

export type FindingKind = (typeof findingKinds)[number];

/** One difference between the two sides. */
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
    /** The exact sum of the costs, in the currency of the file; null: it has none. */
    cost: string | null;
    /** Lines with an unreadable cost, such as a credit; the sum does not include them. */
    costUnread: number;
  };
  ours: Counts & {
    charged: Micro;
    /** Answers without an id from their provider, which cannot be compared. */
    withoutId: number;
  };
  matched: number;
  differing: number;
  onlyInFile: number;
  /** Null: the file has no dates, so it is unknown which of our messages it should contain. */
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

export interface ReconcileOptions {
  /** `FIELD=COLUMN,…` for columns that the headers do not identify. */
  columns?: string | undefined;
  /** Codes of our providers; empty: those whose answers the file contains. */
  providers: readonly string[];
  /** `FILE_NAME=OUR_NAME` of models, for exports by day. */
  models: readonly string[];
  /** Days, `YYYY-MM-DD`, UTC, both inclusive; absent: the days of the file. */
  from?: string | undefined;
  to?: string | undefined;
}
