/** Money computed a second way, with whole numbers of any size: what the product's numbers are held against. */

/** numerator / denominator, rounded half up; both at least 0. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** fix + tokens × price / 1,000,000, in micro-rubles. */
export function exactCost(fix: number, tokens: number, price: number): bigint {
  return BigInt(fix) + roundHalfUp(BigInt(tokens) * BigInt(price), 1_000_000n);
}
