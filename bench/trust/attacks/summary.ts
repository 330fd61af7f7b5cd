import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './acceptance.ts';
import type { Result } from './batches.ts';
import { priceWords, pricesOf } from './curve.ts';
import { plotPrices } from './plot.ts';
import { printTable } from './report.ts';
import { webNames } from './webs.ts';

/** What a version of the formula lets pass on one web. */
export interface Attacked {
  web: string;
  formula: string;
  checks: Check[];
  results: Pick<Result, 'cost' | 'outcome'>[];
}

/** Writes the outcome into a folder that exists, so that webs can be attacked one by one. */
export async function keep(folder: string, { results, ...attacked }: Attacked): Promise<void> {
  const kept = { ...attacked, results: results.map(({ cost, outcome }) => ({ cost, outcome })) };
  await Bun.write(join(folder, `${attacked.web}-${attacked.formula}.json`), JSON.stringify(kept));
}

/** All that was kept in a folder, the webs in their usual order. */
export async function readKept(folder: string): Promise<Attacked[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const all = await Promise.all(
    files.map(async (name): Promise<Attacked> => Bun.file(join(folder, name)).json()),
  );
  return all.toSorted((a, b) => webNames.indexOf(a.web) - webNames.indexOf(b.web));
}

/** The published curve by web, and the acceptance. */
export function printSummary(all: readonly Attacked[]): void {
  const webs = [...new Set(all.map(({ web }) => web))];
  const versions = [...new Set(all.map(({ formula }) => formula))];
  console.log('\n## The cheapest way to a colour');
  printTable(
    ['formula', 'colour', 'bought or listed, at most', ...webs],
    versions.flatMap((version) => {
      const columns = all.filter(({ formula }) => formula === version);
      const prices = columns.map(({ results }) => pricesOf(results));
      return (prices[0] ?? []).map(({ colour, bought }, row) => [
        version,
        colour,
        bought,
        ...prices.map((column) => (column[row] ? priceWords(column[row]) : '')),
      ]);
    }),
  );
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
}

/** Draws the curve of the last version. */
export async function drawSummary(file: string, all: readonly Attacked[]): Promise<void> {
  const version = all.at(-1)?.formula;
  if (version === undefined) throw new Error('there is nothing to draw: no web was attacked');
  const drawn = all.filter(({ formula }) => formula === version);
  await Bun.write(
    file,
    plotPrices(
      version,
      drawn.map(({ web, results }) => ({ name: web, results })),
    ),
  );
}
