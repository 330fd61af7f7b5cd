/**
 * Imports one graph and prints what it took as JSON: a process of its own, so that its peak memory is the
 * import's. Arguments: directory, vertices, edges, MiB that buffers may take.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GraphStore } from '../../src/trust/graph/graph-store.ts';
import type { ImportPhase } from '../../src/trust/graph/import/progress.ts';

export interface ImportResult {
  nodes: number;
  edges: number;
  seconds: number;
  /** By phase. */
  phases: Partial<Record<ImportPhase, number>>;
  /** Processor time of all threads. */
  cpuSeconds: number;
  peakBytes: number;
  /** The most that the import's files took, at the end of a phase. */
  diskBytes: number;
}

if (import.meta.main) console.log(JSON.stringify(await importOnce(process.argv.slice(2))));

async function importOnce(words: readonly string[]): Promise<ImportResult> {
  const [directory = '', vertices = '', edges = '', memoryMiB = ''] = words;
  const store = new GraphStore(directory);
  const phases: ImportResult['phases'] = {};
  let diskBytes = 0;
  const start = performance.now();
  let phaseStart = start;
  const manifest = await store.importGraph({
    name: 'bench',
    vertices,
    edges,
    memoryMiB: Number(memoryMiB),
    onPhaseDone(phase) {
      const now = performance.now();
      phases[phase] = (now - phaseStart) / 1000;
      phaseStart = now;
      diskBytes = Math.max(diskBytes, bytesIn(directory));
    },
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage();
  return {
    nodes: manifest.nodes,
    edges: manifest.edges,
    seconds,
    phases,
    diskBytes,
    cpuSeconds: (user + system) / 1e6,
    peakBytes: peakBytes(),
  };
}

/** The most that was resident. `maxRSS` counts what the parent had when it made this process, too. */
function peakBytes(): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function bytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return files.reduce(
    (sum, file) => sum + (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0),
    0,
  );
}
