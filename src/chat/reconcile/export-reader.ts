import { readCsv, CsvError, type CsvRecord } from '../../lib/csv.ts';
import { DomainError } from '../../lib/errors.ts';
import { decimalText, readDecimal, sum, type Decimal } from '../../lib/decimal.ts';
import { findColumns, type ExportColumns } from './export-columns.ts';
import type { FileTotals } from './report.ts';
import { dateOf } from '../../lib/days.ts';

/** How many unreadable lines are listed; further ones are only counted. */
const UNREADABLE_LISTED_MAX = 100;

/** Reads an export piece by piece, and counts what it reads. */
export class ExportReader {
  readonly header: readonly string[];
  readonly columns: ExportColumns;
  /** `YYYY-MM-DD` of the earliest and the latest line. */
  firstDay: string | undefined;
  lastDay: string | undefined;
  readonly #records: AsyncGenerator<CsvRecord[]>;
  /** Records that were read together with the header line. */
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

/** One line of an export. Undefined: the export does not have it. */
export interface ExportRow {
  line: number;
  id: string | undefined;
  /** `YYYY-MM-DD`. */
  day: string | undefined;
  model: string | undefined;
  promptTokens: number | undefined;
  completionTokens: number | undefined;
  cachedTokens: number | undefined;
  reasoningTokens: number | undefined;
  requests: number | undefined;
  /** In the export's currency. */
  cost: Decimal | undefined;
}

/** Larger numbers are refused, so that sums stay exact. */
const COUNT_MAX = 1_000_000_000_000;

/** Earlier and later years are refused as mistakes. */
const YEAR_MIN = 2015;
const YEAR_MAX = 2200;

/** Reads one line. @returns the row, or what is wrong with the line */
export function readRow(
  fields: readonly string[],
  line: number,
  columns: ExportColumns,
): ExportRow | { problem: string } {
  const cells = (indexes: readonly number[]) =>
    indexes.map((index) => fields[index]?.trim() || undefined);
  const [[at], [cost]] = [cells(columns.date), cells(columns.cost)];
  const row = {
    line,
    id: cells(columns.id)[0],
    day: at === undefined ? undefined : dayOf(at),
    model: cells(columns.model)[0],
    promptTokens: addCounts(cells(columns.prompt_tokens)),
    completionTokens: addCounts(cells(columns.completion_tokens)),
    cachedTokens: addCounts(cells(columns.cached_tokens)),
    reasoningTokens: addCounts(cells(columns.reasoning_tokens)),
    requests: addCounts(cells(columns.requests)),
    cost: cost === undefined ? undefined : readDecimal(cost.replace(/^\$/, '')),
  };
  if (at !== undefined && row.day === undefined) return { problem: `"${at}" is not a date` };
  const counted = [row.promptTokens, row.completionTokens, row.cachedTokens, row.reasoningTokens];
  const odd = [...counted, row.requests].some(Number.isNaN);
  return odd ? { problem: 'a count is not a whole number of at least 0' } : row;
}

/** The sum of the cells that are not empty; undefined if all are empty, NaN if one is not a count. */
function addCounts(cells: readonly (string | undefined)[]): number | undefined {
  const filled = cells.filter((cell) => cell !== undefined);
  if (filled.length === 0) return undefined;
  return filled.reduce((total, cell) => total + countOf(cell), 0);
}

/** Some exports write 3 as `3.0`, or 1234 as `1,234`. */
function countOf(cell: string): number {
  const digits = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$/.exec(cell)?.[1]?.replaceAll(',', '');
  const count = Number(digits ?? NaN);
  return count <= COUNT_MAX ? count : NaN;
}

/** Reads common date formats, Unix seconds and milliseconds; a time without a zone is UTC, a date is one of our days. */
function dayOf(text: string): string | undefined {
  const moment = momentOf(text);
  if (moment === undefined) return undefined;
  const year = new Date(moment).getUTCFullYear();
  if (year < YEAR_MIN || year > YEAR_MAX) return undefined;
  return isDate(text) ? text : dateOf(moment);
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

const written =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

function momentOf(text: string): number | undefined {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Math.floor(Number(text)) * 1000;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const match = written.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', zone = 'Z'] = match;
  // Fractions of a second do not change the day, and not every parser accepts nine digits.
  const whole = time.replace(/\.\d+$/, '');
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const moment = Date.parse(`${day}T${whole}${offset}`);
  // 30 February is a mistake and not 1 March.
  const isReal =
    !Number.isNaN(Date.parse(`${day}T00:00Z`)) &&
    new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  return Number.isNaN(moment) || !isReal ? undefined : moment;
}
