/**
 * What can be bought from the formula: a catalogue of attacks on a real crawl and on generated webs. `--small` takes
 * generated webs of 30,000 nodes and farms of up to 1,000 domains; `--web NAME`, which may be repeated, leaves the
 * others out; `--formula VERSION`, which may be repeated, attacks other versions than that in force; `--all` prints every
 * attack; `--plot FILE` draws the cheapest ways to each colour.
 */
import { parseArgs } from 'node:util';
import type { Formula } from '../../../src/trust/score/formula.ts';
import {
  checkBatches,
  checkCatalogue,
  checkFarms,
  checkMadeUpNames,
  checkVictims,
  type Check,
} from './acceptance.ts';
import { judgeAll, type Result } from './batches.ts';
import { attackOf } from './catalogue.ts';
import { priceWords, pricesOf } from './curve.ts';
import { formulaInForce, formulas } from '../../../src/trust/score/formulas.ts';
import { checkHonest, honestOf, type Honest } from './honest.ts';
import { judge } from './judge.ts';
import { plotPrices } from './plot.ts';
import { grid, tricks } from './recipes.ts';
import { lineHead, lineOf, printFamilies, printTable, reaches } from './report.ts';
import { printShapes } from './shape.ts';
import type { Web } from './web.ts';
import { webNames, webOf } from './webs.ts';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    plot: { type: 'string' },
    web: { type: 'string', multiple: true },
    formula: { type: 'string', multiple: true, default: [formulaInForce.version] },
  },
});
const nodes = options.small ? 30_000 : 100_000;
const upTo = options.small ? 1000 : Infinity;
const versions = formulas.filter(({ version }) => options.formula.includes(version));

interface Attacked {
  checks: Check[];
  results: Result[];
}

async function attack(web: Web, formula: Formula, first: Honest | undefined): Promise<Attacked> {
  console.log(`\n## ${web.name}, formula ${formula.version}`);
  const before = await judge(web, [], formula);
  const farms = await checkFarms(web, formula, 'institution', upTo);
  const recipes = [...grid, ...tricks];
  const catalogue = await judgeAll(web, recipes.map(attackOf), formula);
  const results = [...farms.results, ...catalogue];
  printFamilies(results);
  printTable(
    lineHead,
    results.filter((result) => options.all || reaches(result, 'зел')).map(lineOf),
  );
  const victims = await checkVictims(web, formula, before, upTo);
  printTable(['victim', 'before', 'after'], victims.lines);
  const names = await checkMadeUpNames(web, formula, options.small ? [1] : [1, 3, 10]);
  printTable(['exchange of 300, 3 bought', 'without names', 'with names'], names.lines);
  const honest = honestOf(web, before);
  const checks = [
    ...farms.checks,
    checkCatalogue(results),
    names.check,
    victims.check,
    ...checkHonest(honest, first ?? honest),
    await checkBatches(web, formula, catalogue),
  ];
  return { checks, results };
}

const webs: Web[] = [];
const usual = webNames.filter((each) => !options.small || each !== 'cnr');
for (const name of options.web ?? usual) {
  const web = await webOf(name, nodes);
  if (web) webs.push(web);
}
printShapes(webs);
const all: (Attacked & { web: string; formula: string })[] = [];
for (const web of webs) {
  const [oldest] = formulas;
  const first = oldest && honestOf(web, await judge(web, [], oldest));
  for (const formula of versions) {
    const attacked = await attack(web, formula, first);
    all.push({ ...attacked, web: web.name, formula: formula.version });
  }
}
console.log('\n## The cheapest way to a colour');
printTable(
  ['formula', 'colour', 'bought or listed, at most', ...webs.map(({ name }) => name)],
  versions.flatMap(({ version }) => {
    const columns = all.filter((part) => part.formula === version);
    const prices = columns.map(({ results }) => pricesOf(results));
    return (prices[0] ?? []).map(({ colour, bought }, row) => [
      version,
      colour,
      bought,
      ...prices.map((column) => (column[row] ? priceWords(column[row]) : '')),
    ]);
  }),
);
const [version] = versions.map((formula) => formula.version).slice(-1);
if (options.plot !== undefined && version !== undefined) {
  const attacked = all.filter(({ formula }) => formula === version);
  const drawn = attacked.map(({ web, results }) => ({ name: web, results }));
  await Bun.write(options.plot, plotPrices(version, drawn));
}
console.log('\n## Acceptance');
printTable(
  ['formula', 'web', 'check', 'measured', ''],
  all.flatMap(({ checks, formula, web }) =>
    checks.map(({ name, measured, passes }) => [
      formula,
      web,
      name,
      measured,
      passes ? 'passes' : 'FAILS',
    ]),
  ),
);
