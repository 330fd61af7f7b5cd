import type { Formula } from './formula.ts';
import { formulaV1 } from './formula-v1.ts';
import { formulaV2 } from './formula-v2.ts';

/** The version that ranks releases from now on. */
export const formulaInForce: Formula = formulaV2;

/** All versions, oldest first. */
export const formulas: readonly Formula[] = [formulaV1, formulaV2];

/** The formula by which a release was ranked, so that its columns keep their meaning; undefined if it is not known. */
export function formulaOf(version: string): Formula | undefined {
  return formulas.find((formula) => formula.version === version);
}
