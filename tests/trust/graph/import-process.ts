/** An import in a separate process, to be killed. The arguments are directory, vertices, edges. */
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';

export const KILLED_RELEASE = 'killed';

if (import.meta.main) {
  const [directory = '', vertices = '', edges = ''] = process.argv.slice(2);
  await new GraphStore(directory).importGraph({
    name: KILLED_RELEASE,
    vertices,
    edges,
    limits: { bucketShift: 6, blockBytes: 256 },
    onPhaseDone: (phase) => console.log(phase),
  });
}
