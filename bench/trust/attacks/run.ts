/**
 * What can be bought from the formula: a catalogue of attacks on a real crawl and on generated webs. `--small` takes
 * generated webs of 30,000 nodes and farms of up to 1,000 domains; `--web NAME`, which may be repeated, leaves the
 * others out; `--formula VERSION`, which may be repeated, attacks other versions than that in force; `--all` prints every
 * attack; `--plot FILE` draws the cheapest ways to each colour. `--keep FOLDER` writes the results of each web into a
 * file; `--kept FOLDER` attacks nothing, and sums up and draws what is in those files.
 */
import { parseArgs } from 'node:util';
import type { Formula } from '../../../src/trust/score/formula.ts';
import {
  checkBatches,
  checkCatalogue,
  checkFarms,
  checkMadeUpNames,
  checkVictims,
} from './acceptance.ts';
import { judgeAll } from './batches.ts';
import { attackOf } from './catalogue.ts';
import { formulaInForce, formulas } from '../../../src/trust/score/formulas.ts';
import { checkHonest, honestOf, printColours, type Honest } from './honest.ts';
import { judge } from './judge.ts';
import { beyond, grid, tricks } from './recipes.ts';
import { lineHead, lineOf, printExpired, printFamilies, printTable, reaches } from './report.ts';
import { printShapes } from './shape.ts';
import { drawSummary, keep, printSummary, readKept, type Attacked } from './summary.ts';
import type { Web } from './web.ts';
import { webNames, webOf } from './webs.ts';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    plot: { type: 'string' },
    keep: { type: 'string' },
    kept: { type: 'string' },
    web: { type: 'string', multiple: true },
    formula: { type: 'string', multiple: true, default: [formulaInForce.version] },
  },
});
const nodes = options.small ? 30_000 : 100_000;
const upTo = options.small ? 1000 : Infinity;
const versions = formulas.filter(({ version }) => options.formula.includes(version));

async function attack(web: Web, formula: Formula, first: Honest | undefined): Promise<Attacked> {
  console.log(`\n## ${web.name}, formula ${formula.version}`);
  const before = await judge(web, [], formula);
  const farms = await checkFarms(web, formula, 'institution', upTo);
  const recipes = [...grid, ...tricks];
  const catalogue = await judgeAll(web, recipes.map(attackOf), formula);
  const goal = [...farms.results, ...catalogue];
  const results = [...goal, ...(await judgeAll(web, beyond.map(attackOf), formula))];
  printFamilies(results);
  printTable(
    lineHead,
    results.filter((result) => options.all || reaches(result, 'зел')).map(lineOf),
  );
  const victims = await checkVictims(web, formula, before, upTo);
  printTable(['victim', 'before', 'after'], victims.lines);
  printExpired(results);
  const helpers = options.small ? [1] : [1, 3, 10];
  const names = await checkMadeUpNames(web, formula, helpers, false);
  const reached = await checkMadeUpNames(web, formula, helpers, true);
  const lines = [...names.lines, ...reached.lines];
  printTable(['exchange of 300, 3 bought', 'without names', 'with names'], lines);
  const honest = honestOf(web, before);
  printColours(honest, first ?? honest);
  const checks = [
    ...farms.checks,
    ...checkCatalogue(goal),
    names.check,
    reached.check,
    victims.check,
    ...checkHonest(honest, first ?? honest),
    await checkBatches(web, formula, catalogue),
  ];
  return { web: web.name, formula: formula.version, checks, results };
}

/** Attacks the webs that the options name. */
async function attackAll(): Promise<Attacked[]> {
  const webs: Web[] = [];
  const usual = webNames.filter((each) => !options.small || each !== 'cnr');
  for (const name of options.web ?? usual) {
    const web = await webOf(name, nodes);
    if (web) webs.push(web);
  }
  printShapes(webs);
  const all: Attacked[] = [];
  for (const web of webs) {
    const [oldest] = formulas;
    const first = oldest && honestOf(web, await judge(web, [], oldest));
    for (const formula of versions) {
      const attacked = await attack(web, formula, first);
      if (options.keep !== undefined) await keep(options.keep, attacked);
      all.push(attacked);
    }
  }
  return all;
}

const all = options.kept === undefined ? await attackAll() : await readKept(options.kept);
printSummary(all);
if (options.plot !== undefined) await drawSummary(options.plot, all);
