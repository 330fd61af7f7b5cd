import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sync } from '../files.ts';
import {
  RELEASE_VERSION,
  writeManifest,
  type Manifest,
  type ReleaseFile,
} from '../release/manifest.ts';
import { resultOf } from './checkpoint.ts';
import { meter, type ImportContext } from './context.ts';
import { labelOf } from './input.ts';

/** Phase `checksums`: hashes every file of the release, on all workers. */
export async function checksumFiles(context: ImportContext): Promise<ReleaseFile[]> {
  const { releaseDirectory: directory, checkpoint } = context;
  // Left by an import that was killed after writing the manifest.
  rmSync(join(directory, 'manifest.json'), { force: true });
  const paths = readdirSync(directory).sort();
  const progress = meter(context, 'checksums', paths.length);
  const { workers } = context.limits(resultOf(checkpoint, 'names').nodes);
  const files = paths.map((path) => ({
    path,
    bytes: statSync(join(directory, path)).size,
    sha256: '',
  }));
  const waiting = files.values();
  const channels = context.workers.channels(Math.min(workers, files.length));
  await Promise.all(
    channels.map(async (channel) => {
      for (const file of waiting) {
        context.signal.throwIfAborted();
        channel.send({ type: 'checksum', path: join(directory, file.path) });
        file.sha256 = (await channel.expect('checksum')).sha256;
        progress.done++;
        progress.tick();
      }
    }),
  );
  progress.end();
  return files;
}

/** Turns the finished files into a release, by renaming: it is complete as soon as it exists. */
export function publish(context: ImportContext, name: string, target: string): void {
  const { releaseDirectory, workDirectory } = context;
  // Absent after a crash between the renaming and the removal below.
  if (existsSync(releaseDirectory)) {
    writeManifest(releaseDirectory, manifestOf(context, name));
    renameSync(releaseDirectory, target);
    sync(dirname(target));
  }
  rmSync(workDirectory, { recursive: true });
}

function manifestOf({ checkpoint, vertices, edges }: ImportContext, name: string): Manifest {
  const parsed = resultOf(checkpoint, 'edges');
  const kept = resultOf(checkpoint, 'out').edges;
  return {
    format: 'zastava-link-graph',
    version: RELEASE_VERSION,
    name,
    created: new Date().toISOString(),
    source: { vertices: labelOf(vertices), edges: labelOf(edges) },
    nodes: resultOf(checkpoint, 'names').nodes,
    edges: kept,
    left_out: {
      vertex_lines: resultOf(checkpoint, 'vertices').bad,
      edge_lines: parsed.bad,
      self_loops: parsed.selfLoops,
      repeated_edges: parsed.pairs - kept,
      edges_of_skipped_vertices: parsed.skipped,
    },
    files: resultOf(checkpoint, 'checksums'),
    columns: [],
    ranking: null,
  };
}
