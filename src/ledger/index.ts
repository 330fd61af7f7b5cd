export { answerLeft, wasAnswered, type AnsweredRow } from './answered.ts';
export { AccountBook } from './account-book.ts';
export { openBooks } from './books.ts';
export { type BulkRefund, type BulkRefunds } from './bulk-refunds.ts';
export { noKeyLimits, type KeyBudget, type KeyBudgets } from './key-budgets.ts';
export {
  checkLimits,
  LIMIT_MODELS_MAX,
  LIMIT_REQUESTS_MAX,
  LIMIT_TOKENS_MAX,
  modelsText,
  noLimits,
} from './limit-bounds.ts';
export {
  commonLimits,
  LimitBook,
  type AdmittedCall,
  type CountedTokens,
  type OwnedRefusal,
} from './limit-book.ts';
export { limitNames, type KeyLimits, type UserLimits } from './limit-rules.ts';
export { Limits } from './limits.ts';
export { shareOfPercent, type GivenBack } from './refund-due.ts';
export { type Refund, type Refunds } from './refunds.ts';
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
  type HoldBounds,
  type Measured,
} from './rules.ts';
export { proveBooks, verifyBooks, type BookCheck } from './verify.ts';
