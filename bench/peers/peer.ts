import type { Target } from '../support/target.ts';

/** Whose request it is, as its headers say, and the model's name. */
export interface Account {
  url: string;
  headers: Readonly<Record<string, string>>;
  model: string;
}

/** A gateway, and what its books say. */
export interface Peer {
  target: Target;
  /** Where it keeps what was spent. */
  books: string;
  /** @param budget of so many answers of `raceTokens`; undefined: none. Undefined where it has no budgets here */
  open(budget?: number): Promise<Account> | undefined;
  /** Answers that its books have of an account; undefined where it keeps none. */
  booked(account: Account): Promise<number> | undefined;
  /** Ends it by kill -9, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The cap of the output where budgets are raced for: what the mock gives, so that a hold is not larger than a charge. */
export const raceTokens = 21;
/** A race's answer costs by its output alone: dollars or rubles per 1,000,000 tokens. */
export const racePrice = 2;
export const racePriceOfAnswer = (raceTokens * racePrice) / 1_000_000;
