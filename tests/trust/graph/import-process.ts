/** Imports in a process of its own, to be killed: arguments are directory, vertices, edges. */
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';

const [directory = '', vertices = '', edges = ''] = process.argv.slice(2);
const store = new GraphStore(directory);
await store.importGraph({
  name: 'killed',
  vertices,
  edges,
  limits: { bucketShift: 6, blockBytes: 256 },
  onPhaseDone: (phase) => console.log(phase),
});
