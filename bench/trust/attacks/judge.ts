import type { Graph } from '../../../src/trust/graph/rows.ts';
import type { Formula } from '../../../src/trust/score/formula.ts';
import type { Seeds } from '../../../src/trust/score/seeds.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import type { Colour, DomainSignals } from '../../../src/trust/score/verdict.ts';
import { buildGraph, exactScore, signalsOf } from '../../../tests/support/link-graph.ts';
import type { Planted } from './ground.ts';
import type { Web } from './web.ts';

/** The result of a check for a site, not rounded. */
export interface Shown {
  xt: number;
  /** Percent. */
  spam: number;
  colour: Colour;
}

/** A ranked web, with or without attacks. */
export interface Judged {
  signals: (node: number) => DomainSignals;
  show: (node: number) => Shown;
}

export interface Outcome {
  /** The site that the attacker shows: the best of the attacker's own. Undefined if the attacker has no site. */
  best: Shown | undefined;
  victims: Shown[];
}

/** Ranks a web that contains attacks by a version of the formula. */
export async function judge(
  web: Web,
  attacks: readonly Planted[],
  formula: Formula,
): Promise<Judged & { outcomes: Outcome[] }> {
  const { graph, seeds, shifts } = merge(web, attacks);
  const release = await computeSignals(graph, seeds, formula, { tolerance: 1e-8 });
  const signals = (node: number): DomainSignals => signalsOf(graph, release, node);
  const show = (node: number): Shown => {
    const { xtExact, p, colour } = exactScore(signals(node), undefined, formula);
    return { xt: xtExact, spam: 100 * p, colour };
  };
  const outcomes = attacks.map(({ shown, victims }, index) => {
    const moved = (node: number): number => moveBy(web, node, shifts[index] ?? 0);
    return {
      best: bestOf(shown.map((node) => show(moved(node)))),
      victims: victims.map((node) => show(moved(node))),
    };
  });
  return { signals, show, outcomes };
}

const order: Record<Colour, number> = { ор: 0, жел: 1, зел: 2 };

/** By colour, and then by xt. */
function bestOf(sites: readonly Shown[]): Shown | undefined {
  let best = sites[0];
  for (const site of sites) {
    if (!best || order[site.colour] > order[best.colour]) best = site;
    else if (order[site.colour] === order[best.colour] && site.xt > best.xt) best = site;
  }
  return best;
}

interface Merged {
  graph: Graph;
  seeds: Seeds;
  /** How far the own nodes of each attack are shifted. */
  shifts: number[];
}

/** The web with the nodes and links of all attacks; the links of expired domains go. */
function merge(web: Web, attacks: readonly Planted[]): Merged {
  if (attacks.length === 0) {
    return { graph: web.graph, seeds: seedsOf(web, [], []), shifts: [] };
  }
  const expired = new Set(attacks.flatMap((attack) => [...attack.expired]));
  const more = attacks.reduce((sum, { from }) => sum + from.length, 0);
  const from = new Uint32Array(web.edges.from.length + more);
  const to = new Uint32Array(web.edges.from.length + more);
  let edges = 0;
  const add = (source: number, target: number): void => {
    from[edges] = source;
    to[edges++] = target;
  };
  web.edges.from.forEach((source, edge) => {
    if (!expired.has(source)) add(source, web.edges.to[edge] ?? 0);
  });
  const shifts: number[] = [];
  let nodes = web.edges.nodes;
  for (const attack of attacks) {
    const shift = nodes - web.edges.nodes;
    const moved = (node: number): number => moveBy(web, node, shift);
    attack.from.forEach((source, edge) => add(moved(source), moved(attack.to[edge] ?? 0)));
    shifts.push(shift);
    nodes += attack.nodes;
  }
  return {
    graph: buildGraph(nodes, from.subarray(0, edges), to.subarray(0, edges)),
    seeds: seedsOf(web, attacks, shifts),
    shifts,
  };
}

/** An ending of institutions that an attacker can register under, and that no other domain has. */
const ENDING_FOR_SALE = 1000;

/** The web's institutions, and what the attacks got onto lists. */
function seedsOf(web: Web, attacks: readonly Planted[], shifts: readonly number[]): Seeds {
  const nodes = (of: (attack: Planted) => readonly number[]): number[] =>
    attacks.flatMap((attack, index) =>
      of(attack).map((node) => moveBy(web, node, shifts[index] ?? 0)),
    );
  const named = nodes(({ institutions }) => institutions);
  return {
    institutions: Uint32Array.from([...web.institutions, ...named]),
    endings: Uint16Array.from([...web.endings, ...named.map(() => ENDING_FOR_SALE)]),
    trusted: Uint32Array.from(nodes(({ listed }) => listed.trusted)),
    spam: Uint32Array.from(nodes(({ listed }) => listed.spam)),
  };
}

/** The node in the merged graph: honest ones stay. */
function moveBy(web: Web, node: number, shift: number): number {
  return node < web.edges.nodes ? node : node + shift;
}
