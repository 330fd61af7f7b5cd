export { AccountBook } from './account-book.ts';
export { Ledger, type AccountState, type Transaction } from './ledger.ts';
export {
  costOf,
  costWithoutAnswer,
  lowerOf,
  REDUCED_CAP_MIN,
  withinHold,
  worstCase,
  type Cost,
  type HoldAsk,
  type Price,
} from './rules.ts';
export { verifyBooks, type BookCheck } from './verify.ts';
