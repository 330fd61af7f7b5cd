/** Figures in the documents agree with bench/results.md. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
const read = (path: string) => Bun.file(join(root, path)).text();
const results = await read('bench/results.md');

/** Cells of the rows of all sections: `S1` → `Zastava, one user` → `CPU µs` → `90`. */
const sections = new Map(
  results.split(/^## /m).map((section) => [section.split(/[: ]/, 1)[0] ?? '', rowsOf(section)]),
);

function rowsOf(section: string): Map<string, Map<string, string>> {
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

/** A cell as it stands there. */
function cell(section: string, row: string, column: string): string {
  const text = sections.get(section)?.get(row)?.get(column);
  if (!text) throw new Error(`bench/results.md has no ${section}, ${row}, ${column}`);
  return text;
}

/** A cell as a number, without its unit. */
function number(section: string, row: string, column: string): number {
  return Number(/^-?[\d .]+/.exec(cell(section, row, column))?.[0].replaceAll(' ', ''));
}

const grouped = (value: number) => value.toLocaleString('en');
const ours = 'Zastava, one user';
const s1 = (column: string, row = ours) => number('S1', row, column);
const s3 = (column: string) => number('S3', ours, column);
const s4 = (row: string, column = 'of empty') => number('S4', row, column);
const s5 = (column: string, row = 'PostgreSQL, one node') => number('S5', row, column);
const s6 = (row: string) => number('S6', row, 'median');
const manyUsers = s1('answers/s', 'Zastava, 32 users');
const lone = number('S2', ours, 'added p50 ms').toFixed(2);

const told: Record<string, string[]> = {
  'docs/speed.md': [
    `| ${s1('of nginx')} %, ${s1('× Portkey')} × |`,
    `| ${lone} ms, ${number('S2', ours, 'added p99 ms').toFixed(1)} ms |`,
    `| ${s3('× Portkey').toFixed(1)} ×; ${s3('added p50 ms').toFixed(2)} ms |`,
    `users at random −${100 - s4('other rooms, filled')} %; half and half −${100 - s4('both, filled')} % |`,
    `from ${s4('other rooms, empty', 'CPU µs')} to ${s4('other rooms, filled', 'CPU µs')} µs`,
    `| ${s5('of SQLite')} % |`,
    `the node ${s5('CPU µs')} µs (SQLite in the same run: ${s5('CPU µs', 'SQLite')}`,
    `PostgreSQL ${s5('of PostgreSQL µs')} on the other core`,
    `| ${s6('start to ready, ms')} ms, from the sources ${s6('the same, from the sources')}; ${s6('memory idle, MiB')} MiB; ${s6('memory after 1 000 000 sends, MiB')} MiB`,
  ],
  'docs/scale.md': [
    `| ${grouped(manyUsers)} of 32 users, ${grouped(s1('answers/s'))} of one | S1 |`,
    `${grouped(manyUsers)} sends a second are ${Math.round((manyUsers * 86_400) / 1e6)} million a day`,
    `${grouped(Math.round((manyUsers * 5) / 1000) * 1000)} calls would be open`,
    `| ${grouped(s3('streams/s'))} | S3 |`,
    `| ${lone} ms, `,
    `${(s5('of PostgreSQL µs') / s5('CPU µs')).toFixed(1)} times the processor time`,
    `${cell('S4', 'other rooms, filled', 'KiB read')} KiB are read per send instead of ${cell('S4', 'other rooms, empty', 'KiB read')}`,
    `${cell('S4', 'other rooms, filled', 'KiB written')} KiB are written instead of ${cell('S4', 'other rooms, empty', 'KiB written')}`,
    `${100 - s4('other rooms, filled')} % fewer sends; ${100 - s4('both, filled')} % fewer when half`,
  ],
};

describe.each(Object.keys(told))('%s', (path) => {
  test('has the figures of the last run', async () => {
    // Lines are wrapped wherever they end.
    const text = (await read(path)).replace(/\s+/g, ' ');
    expect(told[path]?.filter((figure) => !text.includes(figure))).toEqual([]);
  });
});
