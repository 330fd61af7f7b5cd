/** The tables in documents that are made from bench/results.md: `<!-- figures: NAME -->`, a table, `<!-- end -->`. */
import type { Results } from './results.ts';

const OURS = 'Zastava, one user';
const MANY = 'Zastava, 32 users';
/** Rows that are left out of the comparison with peers: it shows Zastava with one user, and the books of SQLite. */
const NOT_COMPARED = new Set(['the mock itself', MANY]);

type Table = (results: Results) => string[][];

/** By document, and by the name in it. */
const tables: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  'README.md': { peers: inShort },
  'docs/speed.md': { goals, peers: inFull, large, database, open, web },
};

export const documentsWithFigures = Object.keys(tables);

/** @returns the text of a document with its tables made again @throws if one of them is not in the text */
export function withFigures(path: string, text: string, results: Results): string {
  let made = text;
  for (const [name, table] of Object.entries(tables[path] ?? {})) {
    const begin = `<!-- figures: ${name} -->\n`;
    const start = made.indexOf(begin);
    const end = made.indexOf('<!-- end -->', start);
    if (start < 0 || end < 0) throw new Error(`${path} has no figures ${name}`);
    const rows = table(results);
    made = made.slice(0, start) + begin + (rows.length > 1 ? render(rows) : '') + made.slice(end);
  }
  return made;
}

function line(cells: string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function isMet(holds: boolean): string {
  return holds ? 'yes' : 'no';
}

function render([head = [], ...rows]: string[][]): string {
  return line(head) + `|${'---|'.repeat(head.length)}\n` + rows.map(line).join('');
}

export const spaced = (cell: string): string => cell.replaceAll(/(?<=\d) (?=\d{3})/g, ',');

function goals(results: Results): string[][] {
  const s6 = (row: string): number => results.number('S6', row, 'median');
  const s4 = (row: string): number => 100 - results.number('S4', row, 'of empty');
  const lone = (column: string): string => results.number('S2', OURS, column).toFixed(2);
  const nginx = results.cell('S1', OURS, 'of nginx') || 'nginx was not there';
  const portkey = results.number('S1', OURS, '× Portkey');
  const many = results.number('S1', MANY, '× Portkey');
  const streams = results.number('S3', OURS, '× Portkey');
  const start = s6('start to ready, ms');
  return [
    ['', 'goal', 'measured', 'met'],
    [
      'S1 sends a second on one core, all on disk',
      '≥ 10 × Portkey for one user, ≥ 9 × for 32',
      `${portkey} ×, ${many} ×; of nginx: ${nginx}`,
      isMet(portkey >= 10 && many >= 9),
    ],
    [
      'S13 processor time of a send, against that of its statements and commits alone',
      '2.3 ×',
      `${results.number('S13', OURS, 'times')} ×`,
      isMet(results.number('S13', OURS, 'times') <= 2.3),
    ],
    [
      'S2 added to a lone send',
      'p99 ≤ 1.5 ms',
      `p50 ${lone('added p50 ms')} ms, p99 ${lone('added p99 ms')} ms`,
      isMet(results.number('S2', OURS, 'added p99 ms') <= 1.5),
    ],
    [
      'S3 streams a second; first delta after the provider’s',
      '12 × Portkey; 0.5 ms',
      `${streams} ×; ${results.cell('S3', OURS, 'added p50 ms')} ms`,
      `${isMet(streams >= 12)}; ${isMet(results.number('S3', OURS, 'added p50 ms') <= 0.5)}`,
    ],
    [
      'S4 full database (10 M messages, 100,000 users) against an empty one',
      'within 10 %',
      `users at random −${s4('other rooms, filled')} %; half and half −${s4('both, filled')} %`,
      isMet(s4('other rooms, filled') <= 10),
    ],
    [
      'S5 PostgreSQL, one node, against SQLite',
      '50 %',
      results.cell('S5', 'PostgreSQL, one node', 'of SQLite'),
      isMet(results.number('S5', 'PostgreSQL, one node', 'of SQLite') >= 50),
    ],
    [
      'S6 start; memory idle, after 1,000,000 sends',
      '300 ms; 100 MB, 250 MB',
      `${start} ms, from the sources ${s6('the same, from the sources')}; ${s6('memory idle, MiB')} MiB; ${s6('memory after 1 000 000 sends, MiB')} MiB`,
      isMet(start <= 300),
    ],
  ];
}

/** The peers' rows, in the order of S1. */
export function compared(results: Results): string[] {
  return results.rows('S1').filter((row) => !NOT_COMPARED.has(row));
}

/** A row of the books; ours is named after its database. */
function books(results: Results, row: string, column: string): string {
  return results.cell('Money', row === OURS ? 'Zastava, SQLite' : row, column);
}

/** Answers that callers got but that are not in the books. */
function lost(results: Results, row: string): string {
  const got = books(results, row, 'callers got');
  const booked = books(results, row, 'in its books');
  if (booked === '') return 'all: it keeps no books';
  return `${Math.max(0, Number(got) - Number(booked))} of ${got}`;
}

const PASSED = '1000 at once, budget for 10: passed';
const LEFT = '100 left streams: in its books';

function inShort(results: Results): string[][] {
  return [
    [
      'on one core',
      'requests a second',
      'added to a call, p50',
      'kill -9: answers missing in its books',
      'budget for 10, 1,000 at once: passed',
    ],
    ...compared(results).map((row) => [
      row,
      spaced(results.cell('S1', row, 'answers/s')),
      `${results.cell('S2', row, 'added p50 ms')} ms`,
      lost(results, row),
      books(results, row, PASSED) || 'has no budgets',
    ]),
  ];
}

function inFull(results: Results): string[][] {
  return [
    [
      'on one core',
      'requests/s',
      'streams/s',
      'added p50, p99 ms',
      'CPU µs a request',
      'of its database µs',
      'memory MiB',
      'missing after kill -9',
      'passed of 1,000 with a budget for 10',
      'of 100 left streams in its books',
    ],
    ...compared(results).map((row) => [
      row,
      spaced(results.cell('S1', row, 'answers/s')),
      spaced(results.cell('S3', row, 'streams/s')),
      `${results.cell('S2', row, 'added p50 ms')}, ${results.cell('S2', row, 'added p99 ms')}`,
      results.cell('S1', row, 'CPU µs'),
      results.cell('S1', row, 'of its database µs'),
      results.cell('S1', row, 'memory MiB'),
      lost(results, row),
      books(results, row, PASSED) || 'has no budgets',
      books(results, row, LEFT) || 'keeps no books',
    ]),
  ];
}

function large(results: Results): string[][] {
  return [
    ['sends to', 'of an empty database', 'CPU µs', 'KiB read', 'KiB written'],
    ...results
      .rows('S4')
      .map((row) => [
        row,
        ...['of empty', 'CPU µs', 'KiB read', 'KiB written'].map((column) =>
          results.cell('S4', row, column),
        ),
      ]),
  ];
}

function database(results: Results): string[][] {
  return [
    ['', 'answers/s', 'of SQLite', 'CPU µs of the nodes', 'of PostgreSQL µs'],
    ...results
      .rows('S5')
      .map((row) => [
        row,
        ...['answers/s', 'of SQLite', 'CPU µs', 'of PostgreSQL µs'].map((column) =>
          spaced(results.cell('S5', row, column)),
        ),
      ]),
  ];
}

function open(results: Results): string[][] {
  const columns = ['sends/s', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'most ms'];
  return [
    ['', ...columns],
    ...results
      .rows('S10')
      .map((row) => [row, ...columns.map((column) => spaced(results.cell('S10', row, column)))]),
  ];
}

/** Medians and p95 of our page and of Open WebUI. */
function web(results: Results): string[][] {
  const both = ['Zastava', 'Open WebUI'];
  return [
    ['ms: median, p95', ...both],
    ...results
      .rows('Web')
      .map((row) => [
        row,
        ...both.map((page) =>
          ['median', 'p95'].map((part) => results.cell('Web', row, `${page}, ${part}`)).join(', '),
        ),
      ]),
  ];
}
