import type { Formula } from '../../../src/trust/score/formula.ts';
import { judgeAll, plant, type Result } from './batches.ts';
import { attackOf, worthlessLinks, type Attack } from './catalogue.ts';
import { judge, type Judged } from './judge.ts';
import { acceptanceFarms, purchases } from './recipes.ts';
import { reaches, wordsOf } from './report.ts';
import type { Place, Web } from './web.ts';

/** A condition that must hold, with the measured value. */
export interface Check {
  name: string;
  measured: string;
  passes: boolean;
}

/** How many of the 21 farms may be green with 1, 3 and 10 bought links. */
const GREEN_MAX = [0, 1, 2];
const VICTIM = { xt: 0.2, spam: 1 };
const VICTIM_SIZES = [10, 100, 1000, 3000, 10_000];
const SAMPLE = 100;

/** Green farms with 1, 3 and 10 links, bought from the sites of one place. */
export async function checkFarms(
  web: Web,
  formula: Formula,
  place: Place,
  upTo: number,
): Promise<{ checks: Check[]; results: Result[] }> {
  const farms = purchases.flatMap((bought) => acceptanceFarms(bought, place, upTo).map(attackOf));
  const results = await judgeAll(web, farms, formula);
  const checks = purchases.map((bought, index) => {
    const own = results.filter(({ cost }) => cost.bought === bought);
    const green = own.filter((result) => reaches(result, 'зел')).length;
    return {
      name: `farms green with ${bought} bought: ${place}`,
      measured: `${green} of ${own.length}`,
      passes: green <= (GREEN_MAX[index] ?? 0),
    };
  });
  return { checks, results };
}

/** Sites at which 10 to 10,000 worthless links point must keep their score. */
export async function checkVictims(
  web: Web,
  formula: Formula,
  before: Judged,
  upTo: number,
): Promise<{ check: Check; lines: string[][] }> {
  const sizes = VICTIM_SIZES.filter((size) => size <= upTo);
  const kinds = ['small', 'known'] as const;
  const attacks = sizes.flatMap((size) => kinds.map((kind) => worthlessLinks(size, kind)));
  const moves = (await judgeAll(web, attacks, formula)).flatMap((result) =>
    result.victims.map((node, index) => {
      const [was, is] = [before.show(node), result.outcome.victims[index] ?? before.show(node)];
      return { name: result.attack.name, was, is };
    }),
  );
  const xt = Math.max(...moves.map(({ was, is }) => Math.abs(is.xt - was.xt)));
  const spam = Math.max(...moves.map(({ was, is }) => Math.abs(is.spam - was.spam)));
  return {
    check: {
      name: `${moves.length} victims of worthless links`,
      measured: `moved by at most ${xt.toFixed(2)} xt, ${spam.toFixed(1)} % spam`,
      passes: xt <= VICTIM.xt && spam <= VICTIM.spam,
    },
    lines: moves.map(({ name, was, is }) => [name, wordsOf(was), wordsOf(is)]),
  };
}

/**
 * Helpers with made-up names beside the same helpers without them: the farm, and honest sites. Where trust reaches a
 * helper, it has one name in both cases: the helper's own vote is that of any domain, and only the names count here.
 */
export async function checkMadeUpNames(
  web: Web,
  formula: Formula,
  helpers: readonly number[],
  reached: boolean,
): Promise<{ check: Check; lines: string[][] }> {
  const sample = [...web.small.slice(0, SAMPLE), ...web.known.slice(0, SAMPLE)];
  const lines: string[][] = [];
  let [farm, honest] = [0, 0];
  for (const count of helpers) {
    const [without, made] = [
      await judge(web, [plant(web, madeUpNames(count, reached, reached ? 1 : 0))], formula),
      await judge(web, [plant(web, madeUpNames(count, reached))], formula),
    ];
    const [was, is] = [without.outcomes[0]?.best, made.outcomes[0]?.best];
    if (!was || !is) continue;
    lines.push([
      `${count} helpers${reached ? ' that trust reaches' : ''}`,
      wordsOf(was),
      wordsOf(is),
    ]);
    farm = Math.max(farm, Math.abs(is.xt - was.xt));
    for (const node of sample) {
      honest = Math.max(honest, Math.abs(made.show(node).xt - without.show(node).xt));
    }
  }
  return {
    check: {
      name: reached ? 'made-up names that trust reaches' : 'made-up names',
      measured: `move the farm by ${xtWords(farm)}, honest sites by ${xtWords(honest)}`,
      passes: farm === 0 && honest === 0,
    },
    lines,
  };
}

/** A change that is not 0 is not written as 0. */
function xtWords(change: number): string {
  return change === 0 ? '0 xt' : `${change.toPrecision(2)} xt`;
}

/**
 * A farm with three bought links, and helpers that each link to names that nobody registered. The same sites sell the
 * links whatever the number of names, so that only the names differ.
 */
function madeUpNames(helpers: number, reached: boolean, names?: number): Attack {
  const own = {
    family: 'made-up names',
    shape: 'exchange',
    size: 300,
    bought: 3,
    helpers,
    reached,
  } as const;
  const attack = attackOf(names === undefined ? own : { ...own, names });
  return { ...attack, draw: `made-up names of ${helpers} helpers` };
}

const DOMAINS_MAX = 1000;
const BOUGHT_MAX = 3;

/**
 * No affordable attack makes a site green that nobody knew; who gets onto the operator's list paid as for a link. All
 * such attacks, and those with ordinary domains only: an expired one is sold with the links that it has, and an
 * institution's ending is not for everyone.
 */
export function checkCatalogue(results: readonly Result[]): Check[] {
  const affordable = results.filter(
    ({ cost }) => cost.domains <= DOMAINS_MAX && cost.bought + cost.listed <= BOUGHT_MAX,
  );
  const name = `green with at most ${DOMAINS_MAX} domains and ${BOUGHT_MAX} links`;
  return [
    greenOf(name, affordable),
    greenOf(
      `${name}, none expired or under an institution's ending`,
      affordable.filter(({ cost }) => cost.expired + cost.named === 0),
    ),
  ];
}

function greenOf(name: string, results: readonly Result[]): Check {
  const green = results.filter((result) => reaches(result, 'зел')).length;
  return { name, measured: `${green} of ${results.length} attacks`, passes: green === 0 };
}

/** How many attacks of the catalogue are judged a second time, each alone. */
const PROOFS = 6;
const PROOF_XT = 0.1;

/** Checks that attacks that share a ranking have the same result as alone. */
export async function checkBatches(
  web: Web,
  formula: Formula,
  together: readonly Result[],
): Promise<Check> {
  const step = Math.ceil(together.length / PROOFS);
  const sample = together.filter((_, index) => index % step === 1);
  const apart = await judgeAll(
    web,
    sample.map(({ attack }) => attack),
    formula,
    true,
  );
  const gaps = sample.map(({ outcome }, index) =>
    Math.abs((outcome.best?.xt ?? 0) - (apart[index]?.outcome.best?.xt ?? 0)),
  );
  const most = Math.max(...gaps);
  return {
    name: `${sample.length} attacks together and each alone`,
    measured: `differ by at most ${most.toFixed(3)} xt`,
    passes: most <= PROOF_XT,
  };
}
