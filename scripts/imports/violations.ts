/** Checks the sources against the table. */
import { posix } from 'node:path';
import type { Mention, Source } from './source.ts';
import * as table from './table.ts';

export interface Violation {
  /** Relative to `src`. */
  path: string;
  line: number;
  message: string;
}

/** An import of another file of `src`. */
interface Edge extends Mention {
  target: string;
}

export function findViolations(sources: readonly Source[]): Violation[] {
  const paths = new Set(sources.map((source) => source.path));
  const graph = new Map<string, Edge[]>();
  const violations: Violation[] = [];
  for (const source of sources) {
    const edges = edgesOf(source);
    graph.set(source.path, edges);
    const report = ({ line }: Mention, message: string): void => {
      violations.push({ path: source.path, line, message });
    };
    for (const edge of edges) {
      if (!paths.has(edge.target)) report(edge, `${edge.text} is not a file of src`);
      else checkEdge(source.path, edge, report);
    }
    checkGlobals(source, report);
  }
  return [...violations, ...findCycles(graph)];
}

function edgesOf(source: Source): Edge[] {
  return source.imports
    .filter(({ text }) => /^\.{1,2}\/.*\.tsx?$/.test(text))
    .map((mention) => ({
      ...mention,
      target: posix.join(posix.dirname(source.path), mention.text),
    }));
}

/** The folder of `src` that contains a file; a file beside the folders is a separate part. */
function partOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.replace(/\.tsx?$/, '');
}

type Report = (mention: Mention, message: string) => void;

function checkEdge(path: string, edge: Edge, report: Report): void {
  const from = partOf(path);
  const to = partOf(edge.target);
  if (from === to) {
    if (from === 'providers') checkDialect(path, edge, report);
  } else {
    const allowed = table.allowedImports[from];
    if (!allowed) return report(edge, `${from} has no line in the table of imports`);
    if (!allowed.includes(to)) {
      report(
        edge,
        `${from} may not import ${to}; it may import ${allowed.join(', ') || 'nothing'}`,
      );
    }
    if (table.indexOnly.includes(to) && edge.target !== `${to}/index.ts`) {
      report(edge, `${edge.target} belongs to ${to}: import ${to}/index.ts`);
    }
  }
  if (isPure(path) && from !== to && !table.pureImports.includes(to)) {
    report(edge, `${path} is pure; it may import ${table.pureImports.join(', ')}`);
  }
}

/** A dialect may not import other dialects or the routing; routing and the files beside it may import dialects. */
function checkDialect(path: string, edge: Edge, report: Report): void {
  const [, dialect = '', ...rest] = path.split('/');
  if (rest.length === 0 || dialect === 'routing') return;
  const [, other = ''] = edge.target.split('/');
  if (other === dialect || other === 'shared' || edge.target === 'providers/spec.ts') return;
  report(edge, `${path} may import its own folder, providers/shared and providers/spec.ts`);
}

function isPure(path: string): boolean {
  return table.pureFiles.some((pattern) => pattern.test(path));
}

function checkGlobals(source: Source, report: Report): void {
  if (!table.processFiles.some((pattern) => pattern.test(source.path))) {
    for (const mention of source.process) {
      report(mention, `${mention.text}: only main.ts and config touch the process`);
    }
  }
  if (!isPure(source.path)) return;
  for (const mention of source.impure) report(mention, `${mention.text}: this file is pure`);
  for (const mention of source.imports) {
    if (/^(?:node|bun):|^bun$/.test(mention.text))
      report(mention, `${mention.text}: this file is pure`);
  }
}

/** One violation for each import that closes a cycle. */
function findCycles(graph: ReadonlyMap<string, readonly Edge[]>): Violation[] {
  const violations: Violation[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    trail.push(path);
    for (const { target, line } of graph.get(path) ?? []) {
      const start = trail.indexOf(target);
      if (start >= 0) {
        const cycle = [...trail.slice(start), target].join(' -> ');
        violations.push({ path, line, message: `imports form a cycle: ${cycle}` });
      } else if (!finished.has(target)) visit(target);
    }
    trail.pop();
    finished.add(path);
  };
  for (const path of graph.keys()) if (!finished.has(path)) visit(path);
  return violations;
}
