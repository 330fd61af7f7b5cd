/**
 * Generates a web-like graph in Common Crawl's format: vertices.txt.gz and edges.txt.gz in a directory.
 * Usage: generate-graph.ts --domains N --edges M [--seed S] DIRECTORY
 * The same numbers give the same graph.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateGraph } from './web-graph.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    domains: { type: 'string', default: '1000000' },
    edges: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  console.error('usage: generate-graph.ts [--domains N] [--edges M] [--seed S] DIRECTORY');
  process.exit(2);
}
mkdirSync(directory, { recursive: true });
const graph = await generateGraph({
  domains: Number(values.domains),
  edges: Number(values.edges),
  seed: Number(values.seed),
  directory,
});
console.log(JSON.stringify(graph, null, 2));
