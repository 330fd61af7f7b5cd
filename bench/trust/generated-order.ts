/**
 * What xt looks like over a generated web of a million domains: examples by their place in PageRank. Its
 * links are drawn by the web's degrees; institutions are those that the rule knows by their names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/index.ts';
import { openCore, type Core } from '../../src/core.ts';
import { silentLog } from '../../src/lib/log.ts';
import { rankRelease } from '../../src/trust/index.ts';
import { formulaInForce } from '../../src/trust/score/formulas.ts';
import { score } from '../../src/trust/score/score.ts';
import type { DomainSignals } from '../../src/trust/score/verdict.ts';
import { RankedRelease } from '../../src/trust/release-signals.ts';
import { generateGraph } from './web-graph.ts';
import { isTrustedByRule } from '../../tests/support/link-graph.ts';

const DOMAINS = 1_000_000;
const EDGES = 10_000_000;
const PLACES = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000];

interface Example {
  domain: string;
  signals: DomainSignals;
}

async function ranked({ clock, trust: { store, seeds } }: Core): Promise<Example[]> {
  await rankRelease(store, seeds, clock, { name: 'generated' });
  const release = store.open('generated');
  const scores = RankedRelease.of(release);
  if (!scores) throw new Error('not ranked');
  const pageRanks = Float32Array.from(
    { length: release.nodes },
    (_, node) => scores.signalsOf(node).pageRank,
  );
  const nodes = Uint32Array.from(pageRanks, (_, node) => node).sort(
    (a, b) => (pageRanks[b] ?? 0) - (pageRanks[a] ?? 0),
  );
  return PLACES.map((place) => {
    const node = nodes[place - 1] ?? 0;
    return { domain: release.nameOf(node), signals: scores.signalsOf(node) };
  });
}

const directory = await mkdtemp(join(tmpdir(), 'zastava-order-'));
try {
  const graph = await generateGraph({ domains: DOMAINS, edges: EDGES, seed: 1, directory });
  const config = readConfig({ ZASTAVA_DATA_DIR: join(directory, 'data') });
  const core = await openCore(config, {
    asServer: false,
    overrides: { log: silentLog },
  });
  const { vertices, edges } = graph;
  await core.trust.store.importGraph({ name: 'generated', vertices, edges });
  console.log('| place by PageRank | institution | donors | TrustRank | xt | spam | colour |');
  console.log('|---:|---|---:|---:|---:|---:|---|');
  for (const [index, { domain, signals }] of (await ranked(core)).entries()) {
    const { xt, spam, colour } = score(signals, undefined, formulaInForce);
    const cells = [
      PLACES[index],
      isTrustedByRule(domain) ? 'yes' : '',
      signals.donorCount,
      signals.trustRank.toFixed(2),
      xt.toFixed(1),
      spam,
      colour,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  await core.close();
} finally {
  await rm(directory, { recursive: true, force: true });
}
