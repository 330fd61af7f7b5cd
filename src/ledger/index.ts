export { AccountBook } from './account-book.ts';
export type { LimitRefusal, UserLimits } from './limit-rules.ts';
export {
  checkLimits,
  LIMIT_MODELS_MAX,
  LIMIT_REQUESTS_MAX,
  LIMIT_TOKENS_MAX,
  modelsOf,
  modelsText,
  noLimits,
} from './limit-bounds.ts';
export { LimitBook, Limits, type AdmittedCall, type CountedTokens } from './limits.ts';
export {
  authorOf,
  Ledger,
  madeByUser,
  REASON_CHARACTERS_MAX,
  type AccountState,
  type Transaction,
} from './ledger.ts';
export {
  costOf,
  costWithoutAnswer,
  lowerOf,
  REDUCED_CAP_MIN,
  withinHold,
  worstCase,
  type Cost,
  type HoldAsk,
  type Measured,
} from './rules.ts';
export { proveBooks, verifyBooks, type BookCheck } from './verify.ts';
