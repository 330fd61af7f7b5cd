/** The contents of bench/results.md, for documents that quote it. */
import { join } from 'node:path';

export const resultsFile = join(import.meta.dir, '..', 'results.md');

/** Rows by their first cell, each with its cells by their column. */
type Section = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Cells of all sections: `S1` → `Zastava, one user` → `CPU µs` → `90`. */
export class Results {
  readonly #sections: ReadonlyMap<string, Section>;

  constructor(text: string) {
    const sections = text.split(/^## /m);
    this.#sections = new Map(
      sections.map((section) => [section.split(/[: ]/, 1)[0] ?? '', rowsOf(section)]),
    );
  }

  /** The first cells of the rows of a section; empty if it has not been run. */
  rows(section: string): string[] {
    return [...(this.#sections.get(section)?.keys() ?? [])];
  }

  /** A cell as it is written there; empty if it is missing. */
  cell(section: string, row: string, column: string): string {
    return this.#sections.get(section)?.get(row)?.get(column) ?? '';
  }

  /** A cell as a number, without its unit; NaN if it is missing, as without a peer. */
  number(section: string, row: string, column: string): number {
    const digits = /^-?[\d .]+/.exec(this.cell(section, row, column))?.[0];
    return digits === undefined ? Number.NaN : Number(digits.replaceAll(' ', ''));
  }
}

function rowsOf(section: string): Section {
  const [heads = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((text) => text.trim()));
  return new Map(
    rows.map((cells) => [
      cells[1] ?? '',
      new Map(heads.map((head, at) => [head, cells[at] ?? ''])),
    ]),
  );
}
