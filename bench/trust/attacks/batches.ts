import type { Formula } from '../../../src/trust/score/formula.ts';
import type { Attack } from './catalogue.ts';
import { judge, type Outcome } from './judge.ts';
import { Ground, type Cost, type Planted } from './ground.ts';
import type { Web } from './web.ts';

export interface Result {
  attack: Attack;
  cost: Cost;
  outcome: Outcome;
  /** The nodes of `outcome.victims`. */
  victims: readonly number[];
}

/** All attacks of one ranking together add at most this share of the web's nodes. */
const SHARE_OF_WEB = 0.05;
/** How many larger attacks share a ranking with others of their size. */
const LARGE_TOGETHER = 3;

/**
 * Judges many attacks with few rankings. Attacks share one if no honest site takes part in two of them, if none
 * changes the lists, and if together they stay small or are few; `alone` judges each by itself, to prove that this is
 * the same.
 * @returns in the order of the attacks
 */
export async function judgeAll(
  web: Web,
  attacks: readonly Attack[],
  formula: Formula,
  alone = false,
): Promise<Result[]> {
  const results = new Map<Attack, Result>();
  for (const batch of batchesOf(web, attacks, alone)) {
    const planted = batch.map((attack) => plant(web, attack));
    const { outcomes } = await judge(web, planted, formula);
    for (const [index, attack] of batch.entries()) {
      const [outcome, part] = [outcomes[index], planted[index]];
      if (!outcome || !part) continue;
      results.set(attack, { attack, cost: part.cost, outcome, victims: part.victims });
    }
  }
  return attacks.flatMap((attack) => results.get(attack) ?? []);
}

/** What an open batch already contains. */
interface Batch {
  attacks: Attack[];
  nodes: number;
  /** How many nodes the attacks of the batch may have. */
  room: number;
  touched: Set<number>;
}

/**
 * Each attack goes into the first batch with room for it. Attacks are planted again later: all at once would fill the
 * memory.
 */
function batchesOf(web: Web, attacks: readonly Attack[], alone: boolean): Attack[][] {
  const most = SHARE_OF_WEB * web.edges.nodes;
  const open: Batch[] = [];
  const closed: Attack[][] = [];
  for (const attack of attacks) {
    const { nodes, touched, listed, institutions } = plant(web, attack);
    const seeds = listed.trusted.length + listed.spam.length + institutions.length;
    if (alone || seeds > 0) {
      closed.push([attack]);
      continue;
    }
    const room = nodes > most ? LARGE_TOGETHER * nodes : most;
    let batch = open.find(
      (other) =>
        other.room === room && other.nodes + nodes <= room && other.touched.isDisjointFrom(touched),
    );
    if (!batch) open.push((batch = { attacks: [], nodes: 0, room, touched: new Set() }));
    batch.attacks.push(attack);
    batch.nodes += nodes;
    for (const node of touched) batch.touched.add(node);
  }
  return [...closed, ...open.map((batch) => batch.attacks)];
}

export function plant(web: Web, attack: Attack): Planted {
  const ground = new Ground(web, seedOf(attack.draw ?? attack.name));
  attack.plant(ground);
  return ground.finish();
}

/** FNV-1a: the same sites take part whatever else is in the catalogue. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
