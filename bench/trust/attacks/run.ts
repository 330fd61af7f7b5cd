/**
 * What can be bought from each version of the formula: farms with bought links, made-up names and worthless links at
 * others, on a real crawl and on generated webs. `--small` takes a tenth of the nodes and farms of up to 1,000 domains;
 * `--web NAME` and `--formula VERSION` leave the others out.
 */
import { parseArgs } from 'node:util';
import type { Formula } from '../../../src/trust/score/formula.ts';
import { checkFarms, checkMadeUpNames, checkVictims, wordsOf, type Check } from './acceptance.ts';
import { formulas } from './formulas.ts';
import { judge } from './judge.ts';
import type { Web } from './web.ts';
import { webNames, webOf } from './webs.ts';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    web: { type: 'string', multiple: true, default: webNames },
    formula: { type: 'string' },
  },
});
const nodes = options.small ? 30_000 : 200_000;
const upTo = options.small ? 1000 : Infinity;

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

async function attack(web: Web, formula: Formula): Promise<Check[]> {
  console.log(`\n## ${web.name}, formula ${formula.version}`);
  const before = await judge(web, [], formula);
  const farms = await checkFarms(web, formula, 'institution', upTo);
  table(
    ['attack', 'domains', 'pages', 'bought', 'best'],
    farms.results.map(({ attack: { name }, cost, outcome: { best } }) => [
      name,
      cost.domains,
      cost.pages,
      cost.bought,
      best ? wordsOf(best) : '',
    ]),
  );
  const victims = await checkVictims(web, formula, before, upTo);
  table(['victim', 'before', 'after'], victims.lines);
  const names = await checkMadeUpNames(web, formula, options.small ? [1] : [1, 3, 10]);
  table(['exchange of 300', 'without names', 'with names'], names.lines);
  return [...farms.checks, victims.check, names.check];
}

const checks: (Check & { where: string; formula: string })[] = [];
for (const name of options.web) {
  const web = await webOf(name, nodes);
  if (!web) continue;
  for (const formula of formulas) {
    if (options.formula && options.formula !== formula.version) continue;
    const made = await attack(web, formula);
    checks.push(...made.map((check) => ({ ...check, where: name, formula: formula.version })));
  }
}
console.log('\n## Acceptance');
table(
  ['formula', 'web', 'check', 'measured', ''],
  checks.map(({ formula, where, name, measured, passes }) => [
    formula,
    where,
    name,
    measured,
    passes ? 'passes' : 'FAILS',
  ]),
);
