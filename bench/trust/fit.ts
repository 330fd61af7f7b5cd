/**
 * Fits the terms of spam and prints them; with `--write`, writes src/trust/score/formula-v1.ts. All else in the
 * formula is set by design. Repeatable: the same data gives the same numbers.
 */
import { join } from 'node:path';
import { format } from 'prettier';
import { formulaV1 } from '../../src/trust/score/formula-v1.ts';
import type { Formula } from '../../src/trust/score/formula.ts';
import { untrustedShare } from '../../src/trust/score/terms.ts';
import { prepareCrawl, releaseWith } from './support/cnr-release.ts';
import { crossValidated } from './support/cross-validation.ts';
import { loadCnr, loadNews, type Edges, type LabelledGraph } from './support/data.ts';
import type { Farm } from './support/farms.ts';
import { Random } from './random.ts';
import { fitLogistic } from './support/statistics.ts';

const target = join(import.meta.dir, '../../src/trust/score/formula-v1.ts');
const RIDGE = 1;
const REPEATS = 10;
/** Spam a hundred domains where nothing is known: an assumption, there being no census. */
const BASE_RATE = 0.03;
const FARMS_PER_SHAPE = 20;

/** The base rate and the weight of votes without trust: farms in a crawl, against its own pages. */
async function fitOnFarms(edges: Edges, formula: Formula): Promise<[number, number]> {
  const crawl = await prepareCrawl(edges);
  const shapes = ['star', 'exchange', 'web'] as const;
  const farms = shapes.flatMap((shape, at): Farm[] =>
    Array.from({ length: FARMS_PER_SHAPE }, (_, index) => ({
      shape,
      size: Math.round(100 ** (1 + index / FARMS_PER_SHAPE)),
      target: crawl.targets[at * FARMS_PER_SHAPE + index] ?? 0,
      seller: 0,
    })),
  );
  const release = await releaseWith(crawl, farms, formula);
  const random = new Random(3);
  const byPageRank = Array.from({ length: edges.nodes }, (_, node) => node).sort(
    (a, b) => release.signals(b).pageRank - release.signals(a).pageRank,
  );
  // Every other one by the logarithm of its place: great sites are few, but a verdict on them weighs.
  const honest = Array.from({ length: farms.length * (1 / BASE_RATE - 1) }, (_, index) => {
    const place = index % 2 === 0 ? random.below(edges.nodes) : edges.nodes ** random.next();
    return byPageRank[Math.floor(place)] ?? 0;
  });
  const caseOf = (node: number, positive: boolean) => {
    const signals = release.signals(node);
    const untrusted = untrustedShare(signals) * signals.release.votes * signals.release.reach;
    return { row: [1, untrusted], offset: 0, positive };
  };
  const cases = [
    ...farms.map((farm) => caseOf(farm.target, true)),
    ...honest.map((node) => caseOf(node, false)),
  ];
  const [base = 0, untrustedVotes = 0] = fitLogistic(cases, RIDGE);
  return [base, untrustedVotes];
}

/** The weights of distrust and of links toward spam: labelled news domains, each judged by others' labels. */
async function fitOnNews(
  news: LabelledGraph,
  formula: Formula,
  base: number,
): Promise<[number, number]> {
  const folds = await crossValidated(news, formula, REPEATS);
  const cases = folds.flat().map(({ signals, low }) => {
    const { distrust, antiTrustRank, pageRank, release } = signals;
    const coverage = release.lists?.coverage ?? 0;
    return {
      row: [distrust, Math.max(0, antiTrustRank - release.votes * pageRank)],
      offset: base + coverage * ((release.lists?.odds ?? base) - base),
      positive: low,
    };
  });
  const [distrust = 0, givesToSpam = 0] = fitLogistic(cases, RIDGE * REPEATS);
  return [distrust, givesToSpam];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const edges = await loadCnr();
const news = await loadNews();
if (edges && news) {
  const [base, untrustedVotes] = (await fitOnFarms(edges, formulaV1)).map(rounded) as [
    number,
    number,
  ];
  const [distrust, givesToSpam] = await fitOnNews(news, formulaV1, base);
  const spam = {
    ...formulaV1.spam,
    base,
    untrustedVotes,
    distrust: rounded(distrust),
    givesToSpam: rounded(givesToSpam),
  };
  const fitted: Formula = { ...formulaV1, spam };
  console.log('fitted  ', spam);
  console.log('in force', formulaV1.spam);
  if (process.argv.includes('--write')) {
    const text = `import type { Formula } from './formula.ts';

/** Version 1, written by bench/trust/fit.ts. Frozen: another fit is another version. */
export const formulaV1: Formula = ${JSON.stringify(fitted)};
`;
    await Bun.write(
      target,
      await format(text, {
        parser: 'typescript',
        printWidth: 100,
        singleQuote: true,
        trailingComma: 'all',
      }),
    );
    console.log('wrote src/trust/score/formula-v1.ts');
  }
}
