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

/** All attacks of one ranking add at most this share of the web's nodes; a larger attack is alone. */
const SHARE_OF_WEB = 0.02;

/**
 * Judges many attacks with few rankings. Attacks share one if no honest site takes part in two of them, if none
 * changes the lists, and if together they stay small; `alone` judges each by itself, to prove that this is the same.
 */
export async function judgeAll(
  web: Web,
  attacks: readonly Attack[],
  formula: Formula,
  alone = false,
): Promise<Result[]> {
  const results: Result[] = [];
  const batch: { attack: Attack; planted: Planted }[] = [];
  const run = async (): Promise<void> => {
    const members = batch.splice(0);
    const { outcomes } = await judge(
      web,
      members.map(({ planted }) => planted),
      formula,
    );
    for (const [index, { attack, planted }] of members.entries()) {
      const outcome = outcomes[index];
      if (outcome) {
        results.push({ attack, cost: planted.cost, outcome, victims: planted.victims });
      }
    }
  };
  for (const attack of attacks) {
    const planted = plant(web, attack);
    const apart = alone || !fits(web, batch, planted);
    if (batch.length > 0 && apart) await run();
    batch.push({ attack, planted });
  }
  if (batch.length > 0) await run();
  return results;
}

export function plant(web: Web, attack: Attack): Planted {
  const ground = new Ground(web, seedOf(attack.name));
  attack.plant(ground);
  return ground.finish();
}

function fits(
  web: Web,
  batch: readonly { planted: Planted }[],
  { nodes, touched, listed }: Planted,
): boolean {
  const all = batch.reduce((sum, { planted }) => sum + planted.nodes, nodes);
  const lists = [listed, ...batch.map(({ planted }) => planted.listed)];
  return (
    all <= SHARE_OF_WEB * web.edges.nodes &&
    lists.every(({ trusted, spam }) => trusted.length + spam.length === 0) &&
    batch.every(({ planted }) => planted.touched.isDisjointFrom(touched))
  );
}

/** FNV-1a: the same sites take part whatever else is in the catalogue. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
