import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import { toRubles, type Micro } from '../../lib/money.ts';
import { countsView, type Counts, type Finding, type FindingKind } from './comparison.ts';
import { dayZone } from '../../lib/days.ts';

export interface FileTotals extends Counts {
  rows: number;
  unreadable: number;
  /** The exact sum of the costs, in the currency of the file; null: the file has no costs. */
  cost: string | null;
  /** Lines with an unreadable cost, such as a credit; the sum does not include them. */
  costUnread: number;
}

export interface Totals {
  /** Single answers by the provider's ids, or sums by day and model. */
  by: 'id' | 'day';
  /** `YYYY-MM-DD`, both included; null for a file without dates. */
  from: string | null;
  to: string | null;
  /** Codes of our providers that the file is about. */
  providers: string[];
  file: FileTotals;
  ours: Counts & {
    charged: Micro;
    /** Answers without a provider's id, which cannot be compared. */
    withoutId: number;
  };
  matched: number;
  differing: number;
  onlyInFile: number;
  /** Our answers whose usage costs more than was held, and the amount that was not charged. */
  undercharged: { answers: number; lost: Micro };
  /** Null: the file has no dates, so it is unknown which of our messages it should contain. */
  onlyWithUs: number | null;
}

/** A finished comparison. Findings come as they are read, so that memory does not grow with them. */
export interface Reconciliation extends AsyncDisposable {
  totals: Totals;
  /** The first lines that could not be read; `totals.file.unreadable` counts all. */
  unreadable: readonly { line: number; problem: string }[];
  findings(kind: FindingKind): AsyncGenerator<Finding>;
}

export interface ReconcileParts {
  db: Database;
  catalogue: Catalogue;
}

/** `YYYY-MM-DD`, both included. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** Without days: the days of the file. */
export interface ReconcileOptions extends Days {
  /** `FIELD=COLUMN,…` for columns that the headers do not identify. */
  columns?: string | undefined;
  /** Codes of our providers; empty: those whose answers the file contains. */
  providers: readonly string[];
  /** `FILE_NAME=OUR_NAME` of models, for exports by day. */
  models: readonly string[];
}

/** The result of a comparison as JSON, without the single findings. Amounts are rubles. */
export function reconciliationView({ totals, unreadable }: Reconciliation) {
  const { file, ours } = totals;
  return {
    by: totals.by,
    from: totals.from,
    to: totals.to,
    day_zone: dayZone(),
    providers: totals.providers,
    file: {
      rows: file.rows,
      unreadable: file.unreadable,
      ...countsView(file),
      cost: file.cost,
      cost_unread: file.costUnread,
    },
    ours: { ...countsView(ours), charged: toRubles(ours.charged), without_id: ours.withoutId },
    matched: totals.matched,
    differing: totals.differing,
    only_in_file: totals.onlyInFile,
    only_with_us: totals.onlyWithUs,
    undercharged: totals.undercharged.answers,
    undercharged_rub: toRubles(totals.undercharged.lost),
    unreadable_rows: unreadable,
  };
}
