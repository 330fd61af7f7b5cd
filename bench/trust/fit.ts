/**
 * Fits the weights of spam that come from labelled news domains, each judged by others' labels, and compares them with
 * those of the formula in force. All else in the formula is set by design, or older: docs/trust-formula.md.
 */
import { formulaInForce } from '../../src/trust/score/formulas.ts';
import { crossValidated } from './support/cross-validation.ts';
import { loadNews } from './support/data.ts';
import { fitWeights } from './support/fit-weights.ts';

const RIDGE = 1;
const REPEATS = 10;

const news = await loadNews();
if (news) {
  const folds = await crossValidated(news, formulaInForce, REPEATS);
  const fitted = fitWeights(
    folds.flatMap(({ judged }) => judged),
    RIDGE * REPEATS,
  );
  console.log('| weight | fitted | in force |\n|---|---:|---:|');
  for (const [name, weight] of Object.entries(fitted)) {
    const inForce = formulaInForce.spam[name as keyof typeof fitted];
    console.log(`| ${name} | ${weight.toFixed(2)} | ${inForce} |`);
  }
}
