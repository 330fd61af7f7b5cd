import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Path, Problems } from './problems.ts';

/** The values of a file as plain data, with the line of each value. */
export interface YamlTree {
  /** Undefined if the text is not YAML, null for a document without content. */
  value: unknown;
  /** The line of a field or, if it does not exist, of the innermost value around it. */
  lineOf(path: Path): number;
  /** Whether a value was refused for its form, and is therefore absent. */
  isRefused(path: Path): boolean;
}

/** The fields of a catalogue are at most 4 levels deep. */
const DEPTH_MAX = 8;

/**
 * Reads one YAML 1.2 document (core schema). Aliases and duplicate keys are refused: aliases can expand a small file to
 * gigabytes, and with two prices it is unclear which one was meant. Messages never quote the file, since it may contain
 * a provider's key.
 */
export function readYaml(text: string, problems: Problems): YamlTree {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The parser's own check takes quadratic time; the one below does not.
    uniqueKeys: false,
    logLevel: 'error',
    schema: 'core',
  });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  // After one mistake the parser reports everything else on the line too.
  const reported = new Set<number>();
  for (const error of [...document.errors, ...document.warnings]) {
    const line = lineAt(error.pos[0]);
    if (!reported.has(line)) problems.add(line, [], describe(error));
    reported.add(line);
  }
  const found = new Map<string, number>();
  const refused = new Set<string>();
  const reader = new Reader(lineAt, { lines: found, refused, problems });
  const value = problems.any ? undefined : (reader.read(document.contents, []) ?? null);
  return {
    value,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = found.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
    isRefused: (path) => refused.has(JSON.stringify(path)),
  };
}

/** What a reader collects. Places are paths in JSON. */
interface Found {
  lines: Map<string, number>;
  refused: Set<string>;
  problems: Problems;
}

class Reader {
  readonly #lineAt: (offset: number) => number;
  readonly #lines: Map<string, number>;
  readonly #refused: Set<string>;
  readonly #problems: Problems;

  constructor(lineAt: (offset: number) => number, { lines, refused, problems }: Found) {
    this.#lineAt = lineAt;
    this.#lines = lines;
    this.#refused = refused;
    this.#problems = problems;
  }

  read(node: unknown, path: Path): unknown {
    if (path.length > DEPTH_MAX) return this.#refuse(node, path, 'is nested too deeply');
    if (node === null || node === undefined) return null;
    if (isAlias(node)) {
      return this.#refuse(node, path, 'aliases (*name) are not allowed: write out the value');
    }
    if (isMap(node)) return this.#map(node.items, path);
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        this.#mark(item, [...path, index]);
        return this.read(item, [...path, index]);
      });
    }
    if (isScalar(node)) return this.#scalar(node.value, node.source, node, path);
    return this.#refuse(node, path, 'cannot be read');
  }

  #map(items: readonly { key: unknown; value: unknown }[], path: Path): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    const seen = new Set<string>();
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.source ?? key.value) : undefined;
      if (name === undefined || name === '__proto__') {
        this.#refuse(key, path, 'a field name must be plain text');
        continue;
      }
      const here = [...path, name];
      if (seen.has(name)) this.#refuse(key, here, 'is listed twice');
      seen.add(name);
      this.#mark(key, here);
      entries.push([name, this.read(value, here)]);
    }
    return Object.fromEntries(entries);
  }

  #scalar(value: unknown, source: string | undefined, node: unknown, path: Path): unknown {
    // A double can't hold every number of more than 15 digits, so such a number stays text.
    if (typeof value === 'number' && source !== undefined) return isLong(source) ? source : value;
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
    return this.#refuse(node, path, 'must be text, a number, or a list or map of them');
  }

  #mark(node: unknown, path: Path): void {
    const line = this.#line(node);
    if (line !== undefined) this.#lines.set(JSON.stringify(path), line);
  }

  #line(node: unknown): number | undefined {
    if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
    return node.range ? this.#lineAt(node.range[0]) : undefined;
  }

  #refuse(node: unknown, path: Path, message: string): undefined {
    this.#refused.add(JSON.stringify(path));
    this.#problems.add(this.#line(node) ?? 1, path, message);
  }
}

function isLong(source: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(source) && source.replace(/\D/g, '').length > 15;
}

const mistakes: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
  BAD_INDENT: 'the indentation is wrong, or a bracket is not closed',
  MISSING_CHAR: 'a quote, bracket, colon or comma is missing',
  MULTIPLE_DOCS: 'the file must be one document (no second ---)',
  UNEXPECTED_TOKEN: 'there is an unexpected character (in braces, ${NAME} needs quotes)',
  TAG_RESOLVE_FAILED: 'tags (!name) are not allowed',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
};

function describe({ code }: YAMLError): string {
  return mistakes[code] ?? `this is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
}
