import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GraphStore } from '../src/trust/graph/graph-store.ts';
import type { Measure } from './support/measure.ts';
import { grouped, medianOf, spreadOf } from './support/numbers.ts';
import { GATEWAY_CORE, pinned } from './support/processes.ts';
import type { LookUpResult } from './trust/look-up.ts';
import { generateGraph } from './trust/web-graph.ts';

const DOMAINS = 10_000_000;
const EDGES = 30_000_000;
const RUNS = 5;
const RELEASE = 'bench';

/** What the link graph gives to a trust record, from a release of ten million domains. */
export const graphLookUp: Measure = {
  name: 's9',
  run: async ({ progress }) => {
    const directory = await mkdtemp(join(tmpdir(), 'zastava-s9-'));
    try {
      progress(`making a release of ${grouped(DOMAINS)} domains`);
      await makeRelease(directory);
      const runs: LookUpResult[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await lookUpApart(directory));
      const row = (what: string, digits: number, of: (run: LookUpResult) => number) => {
        const values = runs.map(of);
        return [what, grouped(medianOf(values), digits), spreadOf(values, digits)];
      };
      return {
        name: 'S9',
        title: 'look-ups in a release of the link graph',
        columns: ['what', 'median', 'range'],
        rows: [
          row('look-ups/s on one core', 0, (run) => run.perSecond),
          row('p50, µs', 1, (run) => run.p50Us),
          row('p99, µs', 1, (run) => run.p99Us),
          row('opening the release, ms', 1, (run) => run.openMs),
        ],
        notes: [
          `${grouped(DOMAINS)} domains, about ${grouped(EDGES)} edges, page cached; ${RUNS} runs, each a process of its own on one core.`,
          'A look-up finds a random domain by name (a tenth are not there) and reads its counts, four ranks and up to 100 donors: the part of a trust record that the graph gives.',
        ],
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function makeRelease(directory: string): Promise<void> {
  const files = await generateGraph({ domains: DOMAINS, edges: EDGES, seed: 1, directory });
  const store = new GraphStore(directory);
  const { vertices, edges } = files;
  const { nodes } = await store.importGraph({ name: RELEASE, vertices, edges });
  const ranks = Float64Array.from({ length: nodes }, (_, node) => 1 / (node + 1));
  store.open(RELEASE).writeColumns({ pr: ranks, tr: ranks, at: ranks, d: ranks });
}

async function lookUpApart(directory: string): Promise<LookUpResult> {
  const script = join(import.meta.dir, 'trust/look-up.ts');
  const command = pinned(GATEWAY_CORE, [process.execPath, script, directory, RELEASE]);
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('the look-ups failed');
  return JSON.parse(output) as LookUpResult;
}
