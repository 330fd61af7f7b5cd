import { cells, modelNames, models, type Result } from './cells.ts';

/** Writes docs/clients-tested.md. Pure: the same results make the same text. */
export function tableText(results: readonly Result[]): string {
  const sorted = [...results].sort((a, b) =>
    a.client.localeCompare(b.client, 'en', { numeric: true }),
  );
  const notes = new Notes();
  const ofKind = (kind: Result['kind']) => sorted.filter((result) => result.kind === kind);
  const sdks = ofKind('sdk').map((result) => exceptionsOf(result, notes));
  const documents = ofKind('document').map((result) => rowOf(result, ['document'], notes));
  const agents = ofKind('agent').map((result) => rowOf(result, modelNames, notes));
  const text = [
    opening,
    '## Libraries and applications',
    '',
    sdksOpening(),
    ...withPassing(['client', 'version', 'tried', 'result'], sdks),
    '',
    '## Agents',
    '',
    agentsOpening,
    ...withPassing(
      ['client', 'version', 'tried', ...modelNames.map((name) => `\`${name}\``)],
      agents,
    ),
    '',
    '## The OpenAPI document',
    '',
    documentOpening,
    ...withPassing(['tool', 'version', 'tried', 'findings'], documents),
    '',
    '## Notes',
    '',
    ...(notes.lines.length > 0 ? notes.lines.flatMap((line) => wrapped(line, '   ')) : ['None.']),
    '',
  ];
  return text.join('\n');
}

const dialects = modelNames.map((name) => `\`${name}\` (${models[name]})`).join(', ');

const opening = `# Tested clients

Written by \`npm run clients\`, which installs each client from its registry and points it at a fresh gateway with the
lines of [clients](clients.md). Behind the gateway a script plays
${dialects}.

**pass**: the client did what was asked. **refused**: it showed that the gateway refused a field. **fails, client's**:
its own limit or fault. **fails, ours**: a fault of the gateway.
`;

const sdksOpening = () => `${wrapped(
  `Each is tried with all three models: ${Object.values(cells).join(', ')}. A row names what the client lacks or is not tried with (streams of DSPy), and what does not pass.`,
).join('\n')}

**Tools**: calls in three turns. **Overflow**, **402** and **cut stream** are shown as such errors. **Abort**: the
gateway leaves the provider within 5 s after its client left, or [reads it to its end](money.md#streams-that-end-early).
`;

const agentsOpening = `Each is given one task at its defaults: read a file, edit it, run a command, look at a screenshot. All but pi also ask a
tool of [/mcp](clients.md#mcp-clients).
`;

const documentOpening = `Redocly and Spectral read [openapi.json](openapi.json). Prism compares the answers to the examples with it, schemathesis
those to requests that it makes up.
`;

function rowOf(result: Result, columns: readonly string[], notes: Notes): string[] {
  const { client, version, date, untried } = result;
  if (untried !== undefined) {
    const mark = notes.mark(untried);
    return [client, version, date, `not tried ${mark}`, ...columns.slice(1).map(() => '')];
  }
  return [client, version, date, ...columns.map((column) => cellOf(result, column, notes))];
}

const passes = ([, , , ...found]: readonly string[]) => found.every((text) => text === 'pass');

/** What passes everything needs no row: a paragraph for each day names it. */
function withPassing(headings: readonly string[], rows: readonly string[][]): string[] {
  const days = Map.groupBy(rows.filter(passes), ([, , date]) => date);
  const passing = [...days].flatMap(([date, clients]) => {
    const names = clients.map(([client, version]) => `${client} ${version}`).join('; ');
    return [...wrapped(`All pass, tried on ${date}: ${names}.`), ''];
  });
  const others = rows.filter((row) => !passes(row));
  if (passing.length > 0 && others.length === 0) return passing.slice(0, -1);
  return [...passing, ...table(headings, others)];
}

/** What a library passes is the rule, so its row has only the exceptions. */
function exceptionsOf(result: Result, notes: Notes): string[] {
  const { client, version, date, untried } = result;
  if (untried !== undefined) return [client, version, date, `not tried ${notes.mark(untried)}`];
  const found = Object.entries(cells).map(([cell, name]) => ({
    name,
    text: cellOf(result, cell, notes),
  }));
  const has = found.filter(({ text }) => text !== '—').map(({ name }) => name);
  const hasNot = found.filter(({ text }) => text === '—').map(({ name }) => name);
  const failing = found.filter(({ text }) => text !== '—' && text !== 'pass');
  const exceptions = [
    ...(hasNot.length > has.length
      ? [`only ${has.join(', ')}`]
      : hasNot.map((name) => `no ${name}`)),
    ...failing.map(({ name, text }) => `${name}: ${text}`),
  ];
  return [client, version, date, exceptions.join('; ') || 'pass'];
}

function cellOf(result: Result, column: string, notes: Notes): string {
  const outcomes = Object.entries(result.outcomes[column] ?? {});
  const worst = order.find((verdict) =>
    outcomes.some(([, outcome]) => outcome.verdict === verdict),
  );
  if (worst === undefined || worst === 'none') return '—';
  const fault = result.clientsFault[result.kind === 'agent' ? 'task' : column];
  if (worst === 'pass') return 'pass';
  const found = outcomes.filter(([, { verdict }]) => verdict === worst);
  const where =
    found.length < outcomes.length ? ` (${found.map(([name]) => name).join(', ')})` : '';
  const said = found[0]?.[1].note ?? '';
  const mark = notes.mark(fault ?? said + where);
  if (worst === 'refused') return `refused ${mark}`;
  return `**fails, ${fault === undefined ? 'ours' : 'client’s'}** ${mark}`;
}

/** The worst first. */
const order = ['fails', 'refused', 'pass', 'none'] as const;

/** What stands below the tables, each text once. */
class Notes {
  readonly #texts: string[] = [];

  get lines(): string[] {
    return this.#texts.map((text, index) => `${index + 1}. ${text}`);
  }

  mark(text: string): string {
    const clean = text.replaceAll(/[\s|]+/g, ' ').slice(0, NOTE_MAX);
    if (!this.#texts.includes(clean)) this.#texts.push(clean);
    return `[${this.#texts.indexOf(clean) + 1}](#notes)`;
  }
}

const NOTE_MAX = 300;
const LINE_MAX = 120;

const rowLine = (fields: readonly string[]) => `| ${fields.join(' | ')} |`;

function table(headings: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return ['None was tried yet.'];
  return [rowLine(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(rowLine)];
}

/** Markdown of this repository is wrapped. */
function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
