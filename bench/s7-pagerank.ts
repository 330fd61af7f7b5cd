import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Graph } from '../src/trust/graph/rows.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { PEER_CORE, pinned } from './support/processes.ts';
import { wordsOf } from './trust/graph-words.ts';
import { loadCnr } from './trust/support/data.ts';
import { buildGraph } from '../tests/support/link-graph.ts';

const BLOCKS = 7;
/** Runs of one program in a block; the first one is a warm-up, the fastest of the others counts. */
const RUNS = 6;

interface Run {
  iterations: number;
  seconds: number;
}

interface Program {
  name: string;
  /** Prints "iterations seconds" of each run; undefined where it can't run here. */
  command: string[] | undefined;
}

/** PageRank to L1 < 1e-6 with the rows loaded, compared with peers that get the same rows. */
export const pageRankSpeed: Measure = {
  name: 's7',
  run: async ({ progress }) => {
    const edges = await loadCnr();
    const report = { name: 'S7', title: 'PageRank of cnr-2000, damping 0.85, L1 < 1e-6' };
    if (!edges) {
      const notes = [
        'Skipped: the data is absent; the record of the trust formula’s tests says how to get it.',
      ];
      return { ...report, columns: ['program'], rows: [], notes };
    }
    const graph = buildGraph(edges.nodes, edges.from, edges.to);
    const folder = await mkdtemp(join(tmpdir(), 'zastava-s7-'));
    try {
      const programs = await allPrograms(graph, folder);
      const { blocks, absent } = await measureAll(programs, progress);
      return {
        ...report,
        columns: [
          'program',
          'sweeps',
          'ms',
          'of all blocks',
          'M edges/s',
          'speed to C, Gauss-Seidel',
        ],
        rows: rowsOf(blocks, graph.edges),
        notes: [
          `${grouped(graph.nodes)} nodes, ${grouped(graph.edges)} edges, ${availableParallelism()} cores. ${BLOCKS} alternating blocks; of each the fastest run, and the median over the blocks. Each program is a process of its own; one thread has one core. The last column compares times to the end, since sweeps differ in number.`,
          'Zastava’s time includes a last pass that measures the residual. igraph solves to a tolerance of its own.',
          ...absent.map((name) => `${name}: not installed here.`),
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function allPrograms(graph: Graph, folder: string): Promise<Program[]> {
  const file = join(folder, 'graph.bin');
  await Bun.write(file, wordsOf(graph));
  const binary = join(folder, 'pagerank');
  const source = join(import.meta.dir, 'trust/pagerank.c');
  const compiled =
    Bun.which('gcc') !== null && Bun.spawnSync(['gcc', '-O3', '-o', binary, source, '-lm']).success;
  const script = join(import.meta.dir, 'trust/pagerank.py');
  const c = (method: string) => (compiled ? [binary, file, method, String(RUNS)] : undefined);
  const python = (peer: string) =>
    Bun.which('python3') ? ['python3', script, file, peer, String(RUNS)] : undefined;
  const own = (threads: number) => [
    process.execPath,
    join(import.meta.dir, 'trust/rank-once.ts'),
    file,
    String(threads),
    String(RUNS),
  ];
  return [
    { name: 'Zastava, one thread', command: alone(own(1)) },
    { name: 'Zastava, two threads', command: own(2) },
    { name: 'C, Gauss-Seidel (gcc -O3)', command: alone(c('gauss-seidel')) },
    { name: 'C, Jacobi (gcc -O3)', command: alone(c('jacobi')) },
    { name: 'SciPy CSR', command: alone(python('scipy')) },
    { name: 'igraph (prpack)', command: alone(python('igraph')) },
  ];
}

async function runsOf({ command }: Program): Promise<Run[] | undefined> {
  if (!command) return undefined;
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) return undefined;
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [iterations = 0, seconds = 0] = line.split(' ').map(Number);
      return { iterations, seconds };
    });
}

interface Measurements {
  blocks: Map<string, Run[]>;
  absent: string[];
}

async function measureAll(
  programs: readonly Program[],
  progress: (line: string) => void,
): Promise<Measurements> {
  const blocks = new Map<string, Run[]>();
  const absent = new Set<string>();
  for (let block = 1; block <= BLOCKS; block++) {
    for (const program of programs) {
      const { name } = program;
      const done = absent.has(name) ? undefined : await runsOf(program);
      const best = done?.slice(1).toSorted((a, b) => a.seconds - b.seconds)[0];
      if (best) blocks.set(name, [...(blocks.get(name) ?? []), best]);
      else absent.add(name);
    }
    progress(`block ${block}/${BLOCKS}`);
  }
  return { blocks, absent: [...absent] };
}

function rowsOf(blocks: Map<string, Run[]>, edges: number): string[][] {
  const secondsOf = (runs: readonly Run[]): number => medianOf(runs.map(({ seconds }) => seconds));
  const c = blocks.get('C, Gauss-Seidel (gcc -O3)');
  return [...blocks].map(([name, runs]) => {
    const seconds = secondsOf(runs);
    const iterations = runs[0]?.iterations ?? 0;
    return [
      name,
      iterations > 0 ? String(iterations) : '',
      (seconds * 1000).toFixed(0),
      spreadOf(runs.map((run) => run.seconds * 1000)),
      iterations > 0 ? grouped((edges * iterations) / seconds / 1e6) : '',
      c ? (secondsOf(c) / seconds).toFixed(2) : '',
    ];
  });
}

/**
 * One thread keeps one core, so that no program moves between cores; not the core on which the system's own work
 * starts.
 */
function alone(command: string[] | undefined): string[] | undefined {
  return command && pinned(PEER_CORE, command);
}
