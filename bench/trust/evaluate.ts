/**
 * Evaluates the formula in force: low quality against xt on labelled news domains that the lists do not contain,
 * without and with counts of the whole web, what each term adds, how well p is calibrated, and what xt looks like over a
 * real crawl.
 */
import type { Formula } from '../../src/trust/score/formula.ts';
import { formulaInForce, formulas } from '../../src/trust/score/formulas.ts';
import { score } from '../../src/trust/score/score.ts';
import type { DomainSignals } from '../../src/trust/score/verdict.ts';
import { exactScore } from '../../tests/support/link-graph.ts';
import { judge } from './attacks/judge.ts';
import { webOf } from './attacks/webs.ts';
import { crossValidated, type Fold, type Judged } from './support/cross-validation.ts';
import { loadNews, type LabelledGraph } from './support/data.ts';
import { fitWeights } from './support/fit-weights.ts';
import { areaUnderCurve, deviationOf, meanOf } from './support/statistics.ts';

const REPEATS = 10;
const BINS = 5;
const RIDGE = 1;

type Measure = (signals: DomainSignals) => number;

/** The AUC of each fold for low quality against a measure that is low for bad domains. */
function printAuc(name: string, folds: readonly Fold[], measureOf: (fold: Fold) => Measure): void {
  printSpread(
    name,
    folds.map((fold) => aucOf(fold.judged, measureOf(fold))),
  );
}

function aucOf(judged: readonly Judged[], measure: Measure): number {
  return areaUnderCurve(
    judged.map(({ signals, low }) => ({ value: -measure(signals), positive: low })),
  );
}

function printSpread(name: string, values: readonly number[]): void {
  console.log(`| ${name} | ${meanOf(values).toFixed(3)} | ${deviationOf(values).toFixed(3)} |`);
}

const xtBy =
  (formula: Formula): Measure =>
  (signals) =>
    exactScore(signals, undefined, formula).xtExact;

/** The folds as a base sees them. */
function withBase(folds: readonly Fold[]): Fold[] {
  return folds.map(({ judged, training }) => ({ judged: judged.map(seenWithBase), training }));
}

function seenWithBase({ signals, ...rest }: Judged): Judged {
  return { ...rest, signals: { ...signals, institutionDonors: rest.institutions } };
}

function without(term: 'distrust' | 'givesToSpam'): Formula {
  return { ...formulaInForce, spam: { ...formulaInForce.spam, [term]: 0 } };
}

/** With the weights that the other folds give. */
const refitted = ({ training }: Fold): Measure =>
  xtBy({
    ...formulaInForce,
    spam: { ...formulaInForce.spam, ...fitWeights(training, RIDGE) },
  });

async function printDiscrimination(news: LabelledGraph): Promise<Fold[]> {
  const folds = await crossValidated(news, formulaInForce, REPEATS, true);
  const based = withBase(folds);
  const inForce = xtBy(formulaInForce);
  console.log('| xt | AUC | sd over folds |\n|---|---:|---:|');
  printAuc('weights of the other folds', folds, refitted);
  printAuc('the same, with institutions of the whole web', based, refitted);
  printAuc('weights in force', folds, () => inForce);
  printAuc('the same, with institutions of the whole web', based, () => inForce);
  printAuc(
    'weights in force, one decimal',
    folds,
    () => (signals) => score(signals, undefined, formulaInForce).xt,
  );
  printAuc('without the distrust of donors', folds, () => xtBy(without('distrust')));
  printAuc('without links toward spam', folds, () => xtBy(without('givesToSpam')));
  const signals = { ...formulaInForce.signals, voice: { same: 1, byOdds: 0 } };
  const alike = await crossValidated(news, { ...formulaInForce, signals }, REPEATS);
  printAuc('all donors with the same voice', alike, () => inForce);
  printAuc('with votes set to 1', folds, () => (of) => {
    return inForce({ ...of, release: { ...of.release, votes: 1 } });
  });
  for (const older of formulas.slice(0, -1)) {
    const judged = await crossValidated(news, older, REPEATS);
    printAuc(`formula ${older.version}`, judged, () => xtBy(older));
  }
  printAuc('institutions of the whole web alone', based, () => (of) => of.institutionDonors ?? 0);
  return folds;
}

function printCalibration(folds: readonly Fold[]): void {
  const cases = folds.flatMap(({ judged }) =>
    judged.map(({ signals, low }) => ({
      p: exactScore(signals, undefined, formulaInForce).p,
      low: low ? 1 : 0,
    })),
  );
  const base = meanOf(cases.map(({ low }) => low));
  const brier = meanOf(cases.map(({ p, low }) => (p - low) ** 2));
  console.log(
    `\nBrier ${brier.toFixed(3)}; of the base rate alone ${(base * (1 - base)).toFixed(3)}\n`,
  );
  const sorted = cases.toSorted((a, b) => a.p - b.p);
  console.log('| domains by p | mean p | low in fact |\n|---|---:|---:|');
  for (let bin = 0; bin < BINS; bin++) {
    const inside = sorted.slice(
      Math.round((bin * sorted.length) / BINS),
      Math.round(((bin + 1) * sorted.length) / BINS),
    );
    const [p, low] = [meanOf(inside.map((each) => each.p)), meanOf(inside.map((each) => each.low))];
    console.log(`| fifth ${bin + 1} | ${p.toFixed(2)} | ${low.toFixed(2)} |`);
  }
}

/** Pages of the crawl by the first version's PageRank, without any list, by each version. */
async function printCrawl(): Promise<void> {
  const web = await webOf('cnr', 0);
  const [oldest] = formulas;
  if (!web || !oldest) return;
  const [first, own] = [await judge(web, [], oldest), await judge(web, [], formulaInForce)];
  const order = Array.from({ length: web.edges.nodes }, (_, node) => node).sort(
    (a, b) => first.signals(b).pageRank - first.signals(a).pageRank,
  );
  console.log(
    `\n| place by PageRank | donors | independent | TrustRank | xt | colour | xt of ${oldest.version} |\n|---:|---:|---:|---:|---:|---|---:|`,
  );
  for (const place of [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000]) {
    const node = order[place - 1] ?? 0;
    const { donorCount, trustRank, independent } = own.signals(node);
    const { xt, colour } = own.show(node);
    const cells = [place, donorCount, independent, trustRank.toFixed(2), xt.toFixed(1), colour];
    console.log(`| ${[...cells, first.show(node).xt.toFixed(1)].join(' | ')} |`);
  }
}

const news = await loadNews();
if (news) {
  const folds = await printDiscrimination(news);
  const { votes, reach, lists } = folds[0]?.judged[0]?.signals.release ?? {};
  console.log(
    `\n${news.graph.nodes} domains, ${news.graph.edges} links, ${news.labelled.length} labels`,
  );
  console.log('release of the first fold:', { votes, reach, lists });
  printCalibration(folds);
}
await printCrawl();
