export type Column<Row> = readonly [
  heading: string,
  cell: (row: Row) => string,
  align?: 'left' | 'right',
];

/** Rows under headings, in columns as wide as their widest cell. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(([heading]) => heading),
    ...rows.map((row) => columns.map(([, cell]) => printable(cell(row)))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => Bun.stringWidth(cells[index] ?? ''))),
  );
  return lines
    .map((cells) => {
      const padded = cells.map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - Bun.stringWidth(cell));
        return columns[index]?.[2] === 'right' ? padding + cell : cell + padding;
      });
      return padded.join('  ').trimEnd();
    })
    .join('\n');
}

/** One `name: value` per line, with the values aligned. */
export function pairs(fields: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => Bun.stringWidth(name)));
  return Object.entries(fields)
    .map(([name, value]) => {
      const padding = ' '.repeat(width - Bun.stringWidth(name));
      return `${name}: ${padding}${printable(value)}`;
    })
    .join('\n');
}

/** Makes foreign text harmless for a terminal: escapes control and bidirectional characters. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
