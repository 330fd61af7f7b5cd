/**
 * How long each version of the formula takes to rank a generated release with the same memory limit, and how many times
 * as long as the first: by turns, the fastest run of each. Usage: rank-versions.ts [--domains N] [--edges M]
 * [--mib LIMIT] [--runs K] [--threads T]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config/index.ts';
import { openCore } from '../../src/core.ts';
import { silentLog } from '../../src/lib/log.ts';
import { rankRelease } from '../../src/trust/index.ts';
import { formulas } from '../../src/trust/score/formulas.ts';
import { generateGraph } from './web-graph.ts';

const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '3000000' },
    edges: { type: 'string', default: '28500000' },
    mib: { type: 'string', default: '1024' },
    runs: { type: 'string', default: '2' },
    threads: { type: 'string', default: '1' },
  },
});
const [domains, edges, memoryMiB] = [values.domains, values.edges, values.mib].map(Number) as [
  number,
  number,
  number,
];

const directory = await mkdtemp(join(tmpdir(), 'zastava-rank-'));
try {
  const graph = await generateGraph({ domains, edges, seed: 1, directory });
  const config = readConfig({ ZASTAVA_DATA_DIR: join(directory, 'data') });
  const core = await openCore(config, { asServer: false, overrides: { log: silentLog } });
  const { store, seeds } = core.trust;
  const name = 'generated';
  await store.importGraph({ name, vertices: graph.vertices, edges: graph.edges });
  const fastest = new Map(formulas.map(({ version }) => [version, Infinity]));
  for (let run = 0; run < Number(values.runs); run++) {
    for (const formula of formulas) {
      const start = process.cpuUsage();
      const options = { name, memoryMiB, formula, threads: Number(values.threads) };
      await rankRelease(store, seeds, core.clock, options);
      const { user, system } = process.cpuUsage(start);
      const seconds = (user + system) / 1e6;
      fastest.set(formula.version, Math.min(seconds, fastest.get(formula.version) ?? seconds));
    }
  }
  await core.close();
  console.log(
    `${domains} domains, ${graph.edgeCount} links, ${memoryMiB} MiB, ${values.threads} threads`,
  );
  console.log('| formula | processor seconds | times the first |\n|---|---:|---:|');
  const first = fastest.get(formulas[0]?.version ?? '') ?? 1;
  for (const [version, seconds] of fastest) {
    console.log(`| ${version} | ${seconds.toFixed(1)} | ${(seconds / first).toFixed(2)} |`);
  }
  console.log(`peak resident memory: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
