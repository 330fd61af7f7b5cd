/**
 * A streaming reader of CSV (RFC 4180): fields in quotes may contain delimiters, line ends and doubled quotes. It
 * accepts not only commas but also semicolons and tabs, and not only CRLF but also a lone LF.
 */

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  line: number;
  fields: string[];
}

export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** Limits for one field and one record; no real export exceeds them. */
const FIELD_CHARS_MAX = 1_000_000;
const FIELDS_MAX = 10_000;
/** How many characters of the file are searched for the delimiter. */
const HEAD_CHARS = 65_536;

const delimiters = [',', ';', '\t'] as const;

type Delimiter = (typeof delimiters)[number];

/**
 * Reads the records of a text that arrives in pieces, and skips empty lines. Memory is bounded by the longest record
 * and the longest piece.
 * @throws CsvError
 */
export async function* readCsv(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<CsvRecord[]> {
  let head = '';
  let parser: CsvParser | undefined;
  for await (const piece of pieces) {
    if (parser) yield parser.push(piece);
    else {
      head += piece;
      if (head.length < HEAD_CHARS && !head.includes('\n')) continue;
      parser = new CsvParser(delimiterOf(head));
      yield parser.push(head.replace(/^\uFEFF/, ''));
    }
  }
  if (!parser) {
    parser = new CsvParser(delimiterOf(head));
    yield parser.push(head.replace(/^\uFEFF/, ''));
  }
  yield parser.end();
}

/** The most frequent delimiter outside quotes in the first line; by default a comma. */
export function delimiterOf(text: string): Delimiter {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  const counts = delimiters.map((delimiter) => line.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

type State = 'start' | 'plain' | 'quoted' | 'closed';

class CsvParser {
  readonly #delimiter: string;
  #state: State = 'start';
  #field = '';
  #fields: string[] = [];
  #line = 1;
  #startLine = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** @returns the records that are now complete */
  push(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    /** The start of the part of the field that is not yet in `#field`. */
    let start = 0;
    const take = (end: number) => {
      if (end > start) this.#append(text.slice(start, end));
      start = end + 1;
    };
    for (let index = 0; index < text.length; index++) {
      const character = text[index];
      if (this.#state === 'quoted') {
        if (character === '\n') this.#line++;
        if (character === '"') {
          take(index);
          this.#state = 'closed';
        }
      } else if (character === '\r') {
        // The CR belongs to a CRLF.
        take(index);
      } else if (character === '"' && this.#state !== 'plain') {
        // A quote directly after a closing quote is a doubled quote.
        if (this.#state === 'closed') this.#append('"');
        this.#state = 'quoted';
        start = index + 1;
      } else if (character === this.#delimiter) {
        take(index);
        this.#endField();
      } else if (character === '\n') {
        take(index);
        this.#endRecord(records);
        this.#line++;
        this.#startLine = this.#line;
      } else if (this.#state === 'closed') {
        throw new CsvError(`line ${this.#line}: there is text after a closing quote`);
      } else this.#state = 'plain';
    }
    take(text.length);
    return records;
  }

  end(): CsvRecord[] {
    if (this.#state === 'quoted') {
      throw new CsvError(`line ${this.#startLine}: a quote is not closed`);
    }
    const records: CsvRecord[] = [];
    this.#endRecord(records);
    return records;
  }

  #append(text: string): void {
    this.#field += text;
    if (this.#field.length > FIELD_CHARS_MAX) {
      throw new CsvError(
        `line ${this.#startLine}: a field has more than ${FIELD_CHARS_MAX} characters`,
      );
    }
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    this.#state = 'start';
    if (this.#fields.length > FIELDS_MAX) {
      throw new CsvError(`line ${this.#startLine}: there are more than ${FIELDS_MAX} fields`);
    }
  }

  #endRecord(records: CsvRecord[]): void {
    const isEmpty = this.#state === 'start' && this.#fields.length === 0;
    if (isEmpty) return;
    this.#endField();
    records.push({ line: this.#startLine, fields: this.#fields });
    this.#fields = [];
  }
}
