import { degree, type Graph, type Rows } from '../../src/trust/graph/rows.ts';

/** The in-rows as all programs of S7 read them: nodes, edges, offsets, sources, out-degrees; 32 bits each. */
export function wordsOf(graph: Graph): Uint32Array {
  const { nodes, edges } = graph;
  const words = new Uint32Array(2 + nodes + 1 + edges + nodes);
  words.set([nodes, edges]);
  words.set(graph.in.offsets, 2);
  words.set(graph.in.shards[0] ?? [], nodes + 3);
  for (let node = 0; node < nodes; node++) {
    words[nodes + 3 + edges + node] = degree(graph.out, node);
  }
  return words;
}

/** A graph of such words in shared memory. PageRank asks the out-rows for degrees alone, so they have no edges. */
export async function loadWords(file: string): Promise<Graph> {
  const words = new Uint32Array(await Bun.file(file).arrayBuffer());
  const [nodes = 0, edges = 0] = words;
  const rows = (offsets: Iterable<number>, sources: Uint32Array): Rows => {
    const shared = new Float64Array(new SharedArrayBuffer((nodes + 1) * 8));
    shared.set([...offsets]);
    const shard = new Uint32Array(new SharedArrayBuffer(sources.length * 4));
    shard.set(sources);
    return { nodes, edges, offsets: shared, shards: [shard] };
  };
  let end = 0;
  const degrees = words.subarray(nodes + 3 + edges);
  const outOffsets = Float64Array.from([0, ...degrees], (count) => (end += count));
  return {
    nodes,
    edges,
    in: rows(words.subarray(2, nodes + 3), words.subarray(nodes + 3, nodes + 3 + edges)),
    out: rows(outOffsets, new Uint32Array(0)),
  };
}
