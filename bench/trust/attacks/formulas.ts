import { formulaV1 } from '../../../src/trust/score/formula-v1.ts';
import type { Formula } from '../../../src/trust/score/formula.ts';

/** The versions of the formula that stand side by side, the one in force last. */
export const formulas: readonly Formula[] = [formulaV1];
