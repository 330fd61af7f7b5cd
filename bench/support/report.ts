import { resultsFile } from './results.ts';

/** The result of a measure. */
export interface Report {
  /** e.g. `S1` */
  name: string;
  title: string;
  columns: string[];
  rows: string[][];
  /** How it was measured, and what to consider when reading it; one sentence each. */
  notes: string[];
}

const INTRODUCTION = `# Results of the benchmark

Written by \`npm run bench\`, a section a measure; each says where and when it was measured. Compare within
a table only: ratios hold from machine to machine, absolute figures do not.
`;

/** Title and table, with columns padded so that the text is also readable in a terminal. */
export function render(report: Report): string {
  const lines = [report.columns, ...report.rows];
  const widths = report.columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const row = (cells: string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = widths.map((width, column) => '-'.repeat(width - (column > 0 ? 1 : 0)));
  return [
    `## ${report.name}: ${report.title}`,
    '',
    row(report.columns),
    `| ${rule.map((dashes, column) => (column > 0 ? `${dashes}:` : dashes)).join(' | ')} |`,
    ...report.rows.map(row),
    '',
    ...report.notes.map((note) => `- ${note}`),
  ].join('\n');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** Replaces a measure's section in results.md. */
export async function writeResult(report: Report, run: string): Promise<void> {
  const file = Bun.file(resultsFile);
  const text = (await file.exists()) ? await file.text() : INTRODUCTION;
  const [head = INTRODUCTION, ...sections] = text.split(/^(?=## )/m);
  const kept = sections.filter((section) => !section.startsWith(`## ${report.name}:`));
  const section = `${render(report)}\n- Measured at: ${run}.\n`;
  const sorted = [...kept, section]
    .map((each) => each.trimEnd())
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  await Bun.write(file, `${[head.trimEnd(), ...sorted].join('\n\n')}\n`);
}
