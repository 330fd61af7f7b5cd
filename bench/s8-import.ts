import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { grouped } from './support/numbers.ts';
import type { ImportResult } from './trust/import-once.ts';
import { generateGraph } from './trust/web-graph.ts';

const SIZES = [3e6, 10e6, 30e6];
const SIZES_FULL = [...SIZES, 100e6, 300e6];
/** About as many as in the public web graph. */
const EDGES_A_DOMAIN = 30;
/** The newest release of Common Crawl's domain graph. */
const WEB = { nodes: 121_091_933, edges: 3_902_808_757 };
const MEMORY_MIB = 1024;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** From gzipped text to a release, at several sizes: the cost of an edge must not grow with the size. */
export const graphImport: Measure = {
  name: 's8',
  run: async (options) => {
    const results: ImportResult[] = [];
    for (const edges of options.full ? SIZES_FULL : SIZES) {
      results.push(await importOfSize(edges, options));
    }
    const largest = results.at(-1);
    return {
      name: 'S8',
      title: 'import of a link graph, gzipped text to release',
      columns: [
        'edges',
        'domains',
        's',
        'M edges/s',
        'CPU ns an edge',
        'peak MiB',
        'disk, B an edge',
      ],
      rows: results.map(rowOf),
      notes: [
        `A generated graph with the web's degrees, ${EDGES_A_DOMAIN} edges a domain. Each import is a process of its own with ${MEMORY_MIB} MiB for its buffers, the runtime's own memory on top; peak is the most that was resident. Disk is the most that its files took, the finished ones with them.`,
        ...(largest ? [extrapolated(largest), phasesOf(largest)] : []),
      ],
    };
  },
};

async function importOfSize(edges: number, { progress }: MeasureOptions): Promise<ImportResult> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-s8-'));
  try {
    progress(`generating ${grouped(edges)} edges`);
    const domains = Math.ceil(edges / EDGES_A_DOMAIN);
    const files = await generateGraph({ domains, edges, seed: 1, directory });
    const store = join(directory, 'store');
    await mkdir(store);
    const script = join(import.meta.dir, 'trust/import-once.ts');
    const words = [store, files.vertices, files.edges, String(MEMORY_MIB)];
    const child = Bun.spawn([process.execPath, script, ...words], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error('the import failed');
    const result = JSON.parse(output) as ImportResult;
    progress(`imported in ${result.seconds.toFixed(1)} s`);
    return result;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function rowOf({
  edges,
  nodes,
  seconds,
  cpuSeconds,
  peakBytes,
  diskBytes,
}: ImportResult): string[] {
  return [
    grouped(edges),
    grouped(nodes),
    seconds.toFixed(1),
    (edges / seconds / 1e6).toFixed(2),
    ((cpuSeconds / edges) * 1e9).toFixed(0),
    (peakBytes / MIB).toFixed(0),
    (diskBytes / edges).toFixed(1),
  ];
}

/** The time for reading names grows with the domains, all other time with the edges. */
function extrapolated({ nodes, edges, seconds, phases, diskBytes }: ImportResult): string {
  const names = (phases.vertices ?? 0) + (phases.names ?? 0);
  const web = (names / nodes) * WEB.nodes + ((seconds - names) / edges) * WEB.edges;
  return `The whole web (${grouped(WEB.nodes)} domains, ${grouped(WEB.edges)} edges) by the cost of the largest size: ${(web / 3600).toFixed(2)} hours and ${(((diskBytes / edges) * WEB.edges) / GIB).toFixed(0)} GiB of disk at its fullest; memory at most ${MEMORY_MIB} MiB of buffers and the runtime.`;
}

function phasesOf({ phases }: ImportResult): string {
  const parts = Object.entries(phases).map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)}`);
  return `Seconds of its phases: ${parts.join(', ')}.`;
}
