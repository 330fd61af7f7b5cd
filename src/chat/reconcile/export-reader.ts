import { readCsv, CsvError } from '../../lib/csv.ts';
import { DomainError } from '../../lib/errors.ts';
import { decimalText, sum, type Decimal } from '../../lib/decimal.ts';
import { findColumns, type ExportColumns } from './export-columns.ts';
import { readRow, type ExportRow } from './export-row.ts';
import type { Totals, Unreadable } from './report.ts';

/** How many unreadable lines are listed; further ones are only counted. */
const UNREADABLE_LISTED_MAX = 100;

/** Reads an export piece by piece, and counts what it reads. */
export class ExportReader {
  readonly columns: ExportColumns;
  readonly header: readonly string[];
  readonly #unreadable: Unreadable[] = [];
  unreadableCount = 0;
  rows = 0;
  promptTokens: number | null = null;
  completionTokens: number | null = null;
  requests = 0;
  cost: Decimal | undefined;
  costUnread = 0;
  /** `YYYY-MM-DD` of the first and the last line by date. */
  firstDay: string | undefined;
  lastDay: string | undefined;
  readonly #records: AsyncGenerator<{ line: number; fields: string[] }[]>;
  #rest: { line: number; fields: string[] }[];

  private constructor(
    header: readonly string[],
    columns: ExportColumns,
    records: AsyncGenerator<{ line: number; fields: string[] }[]>,
    rest: { line: number; fields: string[] }[],
  ) {
    this.header = header;
    this.columns = columns;
    this.#records = records;
    this.#rest = rest;
  }

  /** Reads up to the header line. @throws `invalid_request` for a file without one */
  static async open(
    pieces: AsyncIterable<string>,
    wish: string | undefined,
  ): Promise<ExportReader> {
    const records = readCsv(pieces);
    for (;;) {
      const { done, value } = await refusingOddFiles(() => records.next());
      if (done)
        throw new DomainError('invalid_request', 'the file is empty: it has no header line');
      const [head, ...rest] = value;
      if (head) return new ExportReader(head.fields, findColumns(head.fields, wish), records, rest);
    }
  }

  /** The readable lines, in batches. @throws `invalid_request` if the file is not CSV */
  async *batches(): AsyncGenerator<ExportRow[]> {
    for (;;) {
      const rows = this.#rest.flatMap(({ fields, line }) => this.#read(fields, line));
      if (rows.length > 0) yield rows;
      const { done, value } = await refusingOddFiles(() => this.#records.next());
      if (done) return;
      this.#rest = value;
    }
  }

  refuse(line: number, problem: string): void {
    this.unreadableCount++;
    if (this.#unreadable.length < UNREADABLE_LISTED_MAX) this.#unreadable.push({ line, problem });
  }

  /** The first lines that could not be read, in order. */
  get unreadable(): Unreadable[] {
    return this.#unreadable.toSorted((first, second) => first.line - second.line);
  }

  /** The totals of everything read so far. */
  totals(): Totals['file'] {
    const { rows, requests, promptTokens, completionTokens, cost, costUnread } = this;
    return {
      rows,
      requests,
      promptTokens,
      completionTokens,
      costUnread,
      unreadable: this.unreadableCount,
      cost: cost ? decimalText(cost) : null,
    };
  }

  #read(fields: readonly string[], line: number): ExportRow[] {
    const row = readRow(fields, line, this.columns);
    this.rows++;
    if ('problem' in row) {
      this.refuse(line, row.problem);
      return [];
    }
    this.#count(row, fields);
    return [row];
  }

  #count(
    { promptTokens, completionTokens, requests = 1, cost, day }: ExportRow,
    fields: readonly string[],
  ): void {
    if (promptTokens !== undefined) this.promptTokens = (this.promptTokens ?? 0) + promptTokens;
    if (completionTokens !== undefined) {
      this.completionTokens = (this.completionTokens ?? 0) + completionTokens;
    }
    this.requests += requests;
    if (cost) this.cost = this.cost ? sum(this.cost, cost) : cost;
    else if (this.columns.cost !== undefined && fields[this.columns.cost]?.trim())
      this.costUnread++;
    if (day === undefined) return;
    if (this.firstDay === undefined || day < this.firstDay) this.firstDay = day;
    if (this.lastDay === undefined || day > this.lastDay) this.lastDay = day;
  }
}

async function refusingOddFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DomainError('invalid_request', `the file is not CSV: ${error.message}`);
  }
}
