/** Amounts of money computed independently, with integers of any size, to compare the product's results with. */

/** numerator / denominator, rounded half up; both at least 0. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/**
 * A sum of tokens × price in micro-rubles, rounded as charges are: docs/money.md. Prices that are made from others use `roundHalfUp`.
 */
export function roundCharge(sum: bigint): bigint {
  return roundHalfUp(sum, 1_000_000n);
}

/** fix + tokens × price / 1,000,000, in micro-rubles. */
export function exactCost(fix: number, tokens: number, price: number): bigint {
  return BigInt(fix) + roundCharge(BigInt(tokens) * BigInt(price));
}
