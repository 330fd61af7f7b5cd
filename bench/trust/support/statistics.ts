import type { Random } from '../random.ts';

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The chance that a positive has a greater value than a negative; ties count half. */
export function areaUnderCurve(cases: readonly { value: number; positive: boolean }[]): number {
  const sorted = [...cases].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  for (let start = 0; start < sorted.length;) {
    let end = start;
    while (end < sorted.length && sorted[end]?.value === sorted[start]?.value) end += 1;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * sorted.slice(start, end).filter(({ positive }) => positive).length;
    start = end;
  }
  const positives = cases.filter(({ positive }) => positive).length;
  const negatives = cases.length - positives;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/**
 * Logistic regression with known offsets and a ridge, by Newton's method with steps that are halved until they help.
 * @returns a weight for each column of the rows
 */
export function fitLogistic(cases: readonly Case[], ridge: number): number[] {
  const columns = cases[0]?.row.length ?? 0;
  let weights = Array<number>(columns).fill(0);
  let loss = lossOf(cases, weights, ridge);
  for (let round = 0; round < 50; round++) {
    const gradient = weights.map((weight) => -ridge * weight);
    const hessian = weights.map((_, i) => weights.map((__, j) => (i === j ? ridge : 0)));
    for (const { row, offset, positive } of cases) {
      const odds = row.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), offset);
      const p = 1 / (1 + Math.exp(-odds));
      row.forEach((left, i) => {
        gradient[i] = (gradient[i] ?? 0) + left * ((positive ? 1 : 0) - p);
        const line = hessian[i] ?? [];
        row.forEach((right, j) => (line[j] = (line[j] ?? 0) + left * right * p * (1 - p)));
      });
    }
    const step = solveLinear(hessian, gradient);
    for (let part = 1; part > 1e-6; part /= 2) {
      const next = weights.map((weight, i) => weight + part * (step[i] ?? 0));
      const nextLoss = lossOf(cases, next, ridge);
      if (nextLoss > loss) continue;
      [weights, loss] = [next, nextLoss];
      break;
    }
    if (step.every((change) => Math.abs(change) < 1e-9)) break;
  }
  return weights;
}

interface Case {
  row: readonly number[];
  offset: number;
  positive: boolean;
}

/** The negative logarithm of the likelihood, with the ridge. */
function lossOf(cases: readonly Case[], weights: readonly number[], ridge: number): number {
  let loss = weights.reduce((sum, weight) => sum + (ridge * weight ** 2) / 2, 0);
  for (const { row, offset, positive } of cases) {
    const odds = row.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), offset);
    const against = positive ? -odds : odds;
    loss += Math.max(0, against) + Math.log1p(Math.exp(-Math.abs(against)));
  }
  return loss;
}

/** Gauss's elimination, for the few unknowns of a fit; the matrix is positive definite. */
function solveLinear(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  rows.forEach((pivot, i) => {
    for (const [j, row] of rows.entries()) {
      if (j === i) continue;
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1);
      pivot.forEach((value, k) => (row[k] = (row[k] ?? 0) - factor * value));
    }
  });
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1));
}
