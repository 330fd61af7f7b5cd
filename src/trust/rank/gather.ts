import { shardSize, type Rows } from '../graph/rows.ts';

/** For each row, the sum of a value over its neighbours: one pass over the edges. */
export function gather(rows: Rows, values: Float32Array): Float32Array {
  const sums = new Float32Array(rows.nodes);
  const { offsets, shards } = rows;
  const size = shardSize(rows);
  for (let row = 0; row < rows.nodes; row++) {
    let sum = 0;
    let edge = offsets[row]!;
    const end = offsets[row + 1]!;
    while (edge < end) {
      const index = Math.floor(edge / size);
      const shard = shards[index]!;
      const stop = Math.min(end - index * size, shard.length) | 0;
      for (let at = (edge - index * size) | 0; at < stop; at++) sum += values[shard[at]!]!;
      edge = index * size + stop;
    }
    sums[row] = sum;
  }
  return sums;
}
