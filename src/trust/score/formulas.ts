import type { Formula } from './formula.ts';
import { formulaV1 } from './formula-v1.ts';
import { formulaV2 } from './formula-v2.ts';

/** The version that ranks releases from now on. */
export const formulaInForce: Formula = formulaV2;

/** All versions, oldest first. */
export const formulas: readonly Formula[] = [formulaV1, formulaV2];

/** The formula that a release was ranked by, so that its columns mean what they meant; undefined if it is not known. */
export function formulaOf(version: string): Formula | undefined {
  return formulas.find((formula) => formula.version === version);
}
