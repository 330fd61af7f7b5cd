import { readCsv, CsvError, type CsvRecord } from '../../lib/csv.ts';
import { DomainError } from '../../lib/errors.ts';
import { decimalText, sum, type Decimal } from '../../lib/decimal.ts';
import { findColumns, type ExportColumns } from './export-columns.ts';
import { readRow, type ExportRow } from './export-row.ts';
import type { FileTotals } from './report.ts';

/** How many unreadable lines are listed; further ones are only counted. */
const UNREADABLE_LISTED_MAX = 100;

/** Reads an export piece by piece, and counts what it reads. */
export class ExportReader {
  readonly header: readonly string[];
  readonly columns: ExportColumns;
  /** `YYYY-MM-DD` of the first and the last line by date. */
  firstDay: string | undefined;
  lastDay: string | undefined;
  readonly #records: AsyncGenerator<CsvRecord[]>;
  /** Records that were read along with the header line. */
  readonly #first: readonly CsvRecord[];
  readonly #unreadable: { line: number; problem: string }[] = [];
  #cost: Decimal | undefined;
  readonly #totals: FileTotals = {
    rows: 0,
    unreadable: 0,
    requests: 0,
    promptTokens: null,
    completionTokens: null,
    cost: null,
    costUnread: 0,
  };

  private constructor(
    { fields }: CsvRecord,
    wish: string | undefined,
    first: readonly CsvRecord[],
    records: AsyncGenerator<CsvRecord[]>,
  ) {
    this.header = fields;
    this.columns = findColumns(fields, wish);
    this.#first = first;
    this.#records = records;
  }

  /** Reads up to the header line. @throws `invalid_request` for a file without one */
  static async open(
    pieces: AsyncIterable<string>,
    wish: string | undefined,
  ): Promise<ExportReader> {
    const records = recordsOf(pieces);
    for (;;) {
      const { done, value } = await records.next();
      if (done)
        throw new DomainError('invalid_request', 'the file is empty: it has no header line');
      const [head, ...first] = value;
      if (head) return new ExportReader(head, wish, first, records);
    }
  }

  /** The readable lines, in batches. @throws `invalid_request` if the file is not CSV */
  async *batches(): AsyncGenerator<ExportRow[]> {
    yield this.#first.flatMap((record) => this.#read(record));
    for await (const records of this.#records) yield records.flatMap((one) => this.#read(one));
  }

  refuse(line: number, problem: string): void {
    this.#totals.unreadable++;
    if (this.#unreadable.length < UNREADABLE_LISTED_MAX) this.#unreadable.push({ line, problem });
  }

  /** The first lines that could not be read, in order. */
  get unreadable(): readonly { line: number; problem: string }[] {
    return this.#unreadable.toSorted((first, second) => first.line - second.line);
  }

  /** The totals of everything read so far. */
  totals(): FileTotals {
    return { ...this.#totals, cost: this.#cost ? decimalText(this.#cost) : null };
  }

  #read({ fields, line }: CsvRecord): ExportRow[] {
    this.#totals.rows++;
    const row = readRow(fields, line, this.columns);
    if ('problem' in row) {
      this.refuse(line, row.problem);
      return [];
    }
    this.#count(row, fields);
    return [row];
  }

  #count(row: ExportRow, fields: readonly string[]): void {
    const totals = this.#totals;
    const { promptTokens, completionTokens, requests = 1, cost, day } = row;
    if (promptTokens !== undefined) {
      totals.promptTokens = (totals.promptTokens ?? 0) + promptTokens;
    }
    if (completionTokens !== undefined) {
      totals.completionTokens = (totals.completionTokens ?? 0) + completionTokens;
    }
    totals.requests += requests;
    if (cost) this.#cost = this.#cost ? sum(this.#cost, cost) : cost;
    else if (this.columns.cost.some((column) => fields[column]?.trim())) totals.costUnread++;
    if (day === undefined) return;
    if (this.firstDay === undefined || day < this.firstDay) this.firstDay = day;
    if (this.lastDay === undefined || day > this.lastDay) this.lastDay = day;
  }
}

async function* recordsOf(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord[]> {
  try {
    yield* readCsv(pieces);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DomainError('invalid_request', `the file is not CSV: ${error.message}`);
  }
}
