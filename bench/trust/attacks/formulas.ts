/** The versions of the formula that stand side by side, the one in force last. */
export { formulas } from '../../../src/trust/score/formulas.ts';
