/** Link graphs in memory, for tests and benchmarks. */
import { degree, SHARD_EDGES, type Graph, type Rows } from '../../src/trust/graph/rows.ts';
import { score } from '../../src/trust/score/score.ts';
import type { DomainSignals, Score } from '../../src/trust/score/verdict.ts';
import { trustedPrefixes } from '../../src/trust/score/seeds.ts';
import type { GraphSignals } from '../../src/trust/score/signals.ts';

/**
 * Builds a graph in memory from edges in any order. Merges parallel edges and drops self-loops.
 * @param from the source of each edge
 * @param to its target
 */
export function buildGraph(nodes: number, from: Uint32Array, to: Uint32Array): Graph {
  const out = buildRows(nodes, from, to);
  const { sources, targets } = pairsOf(out);
  return { nodes, edges: out.edges, out, in: buildRows(nodes, targets, sources) };
}

function buildRows(nodes: number, keys: Uint32Array, values: Uint32Array): Rows {
  const starts = new Float64Array(nodes + 1);
  for (let edge = 0; edge < keys.length; edge++) {
    if (keys[edge] !== values[edge]) add(starts, (keys[edge] ?? 0) + 1, 1);
  }
  for (let node = 0; node < nodes; node++) add(starts, node + 1, starts[node] ?? 0);
  const placed = new Uint32Array(starts[nodes] ?? 0);
  const next = starts.slice();
  for (let edge = 0; edge < keys.length; edge++) {
    const key = keys[edge] ?? 0;
    if (key === values[edge]) continue;
    placed[next[key] ?? 0] = values[edge] ?? 0;
    add(next, key, 1);
  }
  return mergeParallel(nodes, starts, placed);
}

/** Sorts each row and drops duplicates. */
function mergeParallel(nodes: number, starts: Float64Array, placed: Uint32Array): Rows {
  const offsets = new Float64Array(new SharedArrayBuffer((nodes + 1) * 8));
  let edges = 0;
  for (let node = 0; node < nodes; node++) {
    const row = placed.subarray(starts[node], starts[node + 1]).sort();
    for (let index = 0; index < row.length; index++) {
      if (index === 0 || row[index] !== row[index - 1]) placed[edges++] = row[index] ?? 0;
    }
    offsets[node + 1] = edges;
  }
  const shards: Uint32Array[] = [];
  for (let start = 0; start < edges; start += SHARD_EDGES) {
    const part = placed.subarray(start, Math.min(start + SHARD_EDGES, edges));
    const shard = new Uint32Array(new SharedArrayBuffer(part.length * 4));
    shard.set(part);
    shards.push(shard);
  }
  return { nodes, edges, offsets, shards };
}

function pairsOf(rows: Rows): { sources: Uint32Array; targets: Uint32Array } {
  const sources = new Uint32Array(rows.edges);
  const targets = new Uint32Array(rows.edges);
  for (let node = 0; node < rows.nodes; node++) {
    sources.fill(node, rows.offsets[node], rows.offsets[node + 1]);
  }
  rows.shards.forEach((shard, index) => targets.set(shard, index * SHARD_EDGES));
  return { sources, targets };
}

function add(numbers: Float64Array, index: number, amount: number): void {
  numbers[index] = (numbers[index] ?? 0) + amount;
}

/** The data of one node in a ranked graph in memory. */
export function signalsOf(graph: Graph, signals: GraphSignals, node: number): DomainSignals {
  const { arrays, votes, reach, lists } = signals;
  return {
    pageRank: arrays.pageRank[node] ?? 0,
    trustRank: arrays.trustRank[node] ?? 0,
    antiTrustRank: arrays.antiTrustRank[node] ?? 0,
    donors: arrays.donors[node] ?? 0,
    distrust: arrays.distrust[node] ?? 0,
    listed: arrays.listed[node] ?? 0,
    independent: arrays.independent[node] ?? 0,
    donorCount: degree(graph.in, node),
    acceptorCount: degree(graph.out, node),
    release: { votes, reach, lists },
  };
}

/** A score with xt and the probability of spam before rounding. */
export function exactScore(
  ...args: Parameters<typeof score>
): Score & { xtExact: number; p: number } {
  const scored = score(...args);
  const points = scored.components.filter(({ unit }) => unit === 'points');
  const sum = points.reduce((total, { contribution }) => total + contribution, 0);
  const p = points.find(({ name }) => name === 'spam')?.value ?? 0;
  return { ...scored, xtExact: Math.min(10, Math.max(0, sum)), p };
}

const prefixes = new Set(trustedPrefixes());

/** Whether a domain is a trust seed by the rule. */
export function isTrustedByRule(domain: string): boolean {
  const [last = '', second = '', ...rest] = domain.split('.').toReversed();
  const isUnderCountry = rest.length > 0 && prefixes.has(`${last}.${second}.`);
  return isUnderCountry || (second !== '' && prefixes.has(`${last}.`));
}
