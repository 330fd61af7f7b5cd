/**
 * Evaluates the formula in force: low quality against xt on labelled news domains that the lists do not
 * contain, what each term adds, how well p is calibrated, and what xt looks like over a real crawl.
 */
import { formulaV1 } from '../../src/trust/score/formula-v1.ts';
import type { Formula } from '../../src/trust/score/formula.ts';
import { score } from '../../src/trust/score/score.ts';
import type { DomainSignals } from '../../src/trust/score/verdict.ts';
import { exactScore } from '../../tests/support/link-graph.ts';
import { prepareCrawl, releaseWith } from './support/cnr-release.ts';
import { crossValidated, FOLDS, type Judged } from './support/cross-validation.ts';
import { loadCnr, loadNews, type Edges } from './support/data.ts';
import { areaUnderCurve, deviationOf, meanOf } from './support/statistics.ts';

const REPEATS = 10;
const BINS = 5;

type Measure = (signals: DomainSignals) => number;

/** AUC a fold of low quality against what a measure says, low being bad. */
function aucs(folds: readonly Judged[][], measure: Measure): number[] {
  return folds.map((fold) =>
    areaUnderCurve(fold.map(({ signals, low }) => ({ value: -measure(signals), positive: low }))),
  );
}

function printAuc(name: string, values: readonly number[]): void {
  console.log(`| ${name} | ${meanOf(values).toFixed(3)} | ${deviationOf(values).toFixed(3)} |`);
}

/** The formula without one term of spam. */
function without(term: 'distrust' | 'givesToSpam' | 'untrustedVotes'): Formula {
  return { ...formulaV1, spam: { ...formulaV1.spam, [term]: 0 } };
}

const xtBy =
  (formula: Formula): Measure =>
  (signals) =>
    exactScore(signals, undefined, formula).xtExact;

/** As if the lists had not told how far votes can be believed. */
const believingVotes: Measure = (signals) =>
  xtBy(formulaV1)({ ...signals, release: { ...signals.release, votes: 1 } });

function printDiscrimination(folds: readonly Judged[][]): void {
  console.log('| xt | AUC | sd over folds |\n|---|---:|---:|');
  printAuc('formula 1', aucs(folds, xtBy(formulaV1)));
  printAuc(
    'formula 1, one decimal',
    aucs(folds, (signals) => score(signals, undefined, formulaV1).xt),
  );
  printAuc('without the distrust of donors', aucs(folds, xtBy(without('distrust'))));
  printAuc('without links toward spam', aucs(folds, xtBy(without('givesToSpam'))));
  printAuc('without votes without trust', aucs(folds, xtBy(without('untrustedVotes'))));
  printAuc('believing votes in full', aucs(folds, believingVotes));
  const ofRepeats = Array.from({ length: REPEATS }, (_, repeat) =>
    meanOf(aucs(folds.slice(repeat * FOLDS, (repeat + 1) * FOLDS), xtBy(formulaV1))),
  );
  console.log(`sd over the means of ${REPEATS} repeats: ${deviationOf(ofRepeats).toFixed(4)}\n`);
  console.log('| signal alone | AUC | sd over folds |\n|---|---:|---:|');
  printAuc(
    'PageRank',
    aucs(folds, (signals) => signals.pageRank),
  );
  printAuc(
    'TrustRank',
    aucs(folds, (signals) => signals.trustRank),
  );
  printAuc(
    'number of donors',
    aucs(folds, (signals) => signals.donorCount),
  );
  printAuc(
    'Anti-TrustRank, reversed',
    aucs(folds, (signals) => -signals.antiTrustRank),
  );
  printAuc(
    'distrust of donors, reversed',
    aucs(folds, (signals) => -signals.distrust),
  );
}

function printCalibration(folds: readonly Judged[][]): void {
  const cases = folds.flat().map(({ signals, low }) => ({
    p: exactScore(signals, undefined, formulaV1).p,
    low: low ? 1 : 0,
  }));
  const base = meanOf(cases.map(({ low }) => low));
  const brier = meanOf(cases.map(({ p, low }) => (p - low) ** 2));
  console.log(
    `\nBrier ${brier.toFixed(3)}; of the base rate alone ${(base * (1 - base)).toFixed(3)}\n`,
  );
  console.log('| p | domains | mean p | low in fact |\n|---|---:|---:|---:|');
  for (let bin = 0; bin < BINS; bin++) {
    const inside = cases.filter(({ p }) => Math.min(BINS - 1, Math.floor(p * BINS)) === bin);
    if (inside.length === 0) continue;
    const cells = [
      `${(bin / BINS).toFixed(1)} to ${((bin + 1) / BINS).toFixed(1)}`,
      inside.length,
      meanOf(inside.map(({ p }) => p)).toFixed(2),
      meanOf(inside.map(({ low }) => low)).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** Pages of the crawl by PageRank, without any list. */
async function printCrawl(edges: Edges): Promise<void> {
  const crawl = await prepareCrawl(edges);
  const release = await releaseWith(crawl, [], formulaV1);
  const order = Array.from({ length: edges.nodes }, (_, node) => node).sort(
    (a, b) => release.signals(b).pageRank - release.signals(a).pageRank,
  );
  console.log(
    '\n| place by PageRank | donors | TrustRank | xt | spam | colour |\n|---:|---:|---:|---:|---:|---|',
  );
  for (const place of [1, 2, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000]) {
    const node = order[place - 1] ?? 0;
    const { donorCount, trustRank } = release.signals(node);
    const { xt, spam, colour } = release.score(node);
    console.log(
      `| ${[place, donorCount, trustRank.toFixed(2), xt.toFixed(1), spam, colour].join(' | ')} |`,
    );
  }
}

const news = await loadNews();
if (news) {
  const folds = await crossValidated(news, formulaV1, REPEATS);
  const { votes, reach, lists } = folds[0]?.[0]?.signals.release ?? {};
  console.log(
    `${news.graph.nodes} domains, ${news.graph.edges} links, ${news.labelled.length} labels`,
  );
  console.log('release of the first fold:', { votes, reach, lists }, '\n');
  printDiscrimination(folds);
  printCalibration(folds);
}
const edges = await loadCnr();
if (edges) await printCrawl(edges);
