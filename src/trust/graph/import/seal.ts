import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sync } from '../files.ts';
import { RELEASE_VERSION, writeManifest, type ReleaseFile } from '../release/manifest.ts';
import type { PhaseResults } from './checkpoint.ts';
import type { ImportContext } from './context.ts';
import { labelOf } from './input.ts';
import { ProgressMeter } from './progress.ts';

/** Phase `checksums`: hashes every file of the release, on all workers. */
export async function checksumFiles(context: ImportContext): Promise<ReleaseFile[]> {
  const { releaseDirectory: directory, limits } = context;
  // Left by an import that was killed after writing the manifest.
  rmSync(join(directory, 'manifest.json'), { force: true });
  const paths = readdirSync(directory).sort();
  const progress = new ProgressMeter(context.report, 'checksums', paths.length);
  const files = paths.map((path) => ({
    path,
    bytes: statSync(join(directory, path)).size,
    sha256: '',
  }));
  const waiting = files.values();
  const channels = context.workers.channels(Math.min(limits.workers, files.length));
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
export function publish(
  { releaseDirectory, vertices, edges }: ImportContext,
  name: string,
  results: PhaseResults,
  target: string,
): void {
  // Absent after a crash between the renaming and the clean-up.
  if (!existsSync(releaseDirectory)) return;
  const { edges: parsed, out } = results;
  writeManifest(releaseDirectory, {
    format: 'zastava-link-graph',
    version: RELEASE_VERSION,
    name,
    created: new Date().toISOString(),
    source: { vertices: labelOf(vertices), edges: labelOf(edges) },
    suffixes: results.vertices.suffixes,
    hosts_folded: results.vertices.folded,
    nodes: results.names.nodes,
    edges: out.edges,
    left_out: {
      vertex_lines: results.vertices.bad,
      edge_lines: parsed.bad,
      self_loops: parsed.selfLoops,
      repeated_edges: parsed.pairs - out.edges,
      edges_of_skipped_vertices: parsed.skipped,
    },
    files: results.checksums,
    columns: [],
    ranking: null,
    base: null,
  });
  renameSync(releaseDirectory, target);
  sync(dirname(target));
}
