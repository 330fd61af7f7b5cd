/** Reads from a source file what the import rules check. */
import { parseSync, Visitor } from 'oxc-parser';

export interface Mention {
  /** 1-based. */
  line: number;
  text: string;
}

export interface Source {
  /** Relative to `src`, with `/`. */
  path: string;
  /** Module specifiers as written: import, import type, export from, import(), types by import(). */
  imports: Mention[];
  /** Uses of the process and its environment. */
  process: Mention[];
  /** Uses of clock, random numbers, network and timers. */
  impure: Mention[];
}

interface Node {
  start: number;
}

/** Reads or changes the process or its environment; measuring its memory is allowed. */
const environment = /^(?:process\.(?!memoryUsage\b)\w+|Bun\.(?:env|argv)|import\.meta\.env)$/;
const impureMembers =
  /^(?:Date\.now|Math\.random|Bun\.(?!CryptoHasher\b)\w+|performance\.now|console\.\w+|crypto\.\w+)$/;
const impureCalls = /^(?:fetch|setTimeout|setInterval|setImmediate|queueMicrotask)$/;

export function readSource(path: string, text: string): Source {
  const source: Source = { path, imports: [], process: [], impure: [] };
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const at = (node: Node, what: string): Mention => ({
    line: text.slice(0, node.start).split('\n').length,
    text: what,
  });
  const imported = (node: Node & { value?: unknown }): void => {
    if (typeof node.value === 'string') source.imports.push(at(node, node.value));
  };
  new Visitor({
    ImportDeclaration: (node) => imported(node.source),
    ExportAllDeclaration: (node) => imported(node.source),
    ExportNamedDeclaration: (node) => node.source && imported(node.source),
    ImportExpression: (node) => node.source.type === 'Literal' && imported(node.source),
    TSImportType: (node) => imported(node.source),
    MemberExpression(node) {
      const member = text.slice(node.start, node.end).replaceAll(/\s|\?/g, '');
      if (environment.test(member)) source.process.push(at(node, member));
      if (impureMembers.test(member)) source.impure.push(at(node, member));
    },
    CallExpression({ callee }) {
      if (callee.type !== 'Identifier' || !impureCalls.test(callee.name)) return;
      source.impure.push(at(callee, callee.name));
    },
    NewExpression(node) {
      const { callee } = node;
      const now = callee.type === 'Identifier' && callee.name === 'Date';
      if (now && node.arguments.length === 0) source.impure.push(at(node, 'new Date()'));
    },
  }).visit(program);
  for (const mention of source.imports) {
    if (/^(?:node:)?process$/.test(mention.text)) source.process.push(mention);
  }
  return source;
}
