import type { Target } from '../support/target.ts';

/** The account of a request: the headers that name it, and the model's name. */
export interface Account {
  url: string;
  headers: Readonly<Record<string, string>>;
  model: string;
}

/** A gateway, and its books. */
export interface Peer {
  target: Target;
  /** Where it stores what was spent. */
  books: string;
  /** @param budget for this many answers of `raceTokens`; undefined: unlimited. Undefined if it has no budgets here */
  open(budget?: number): Promise<Account> | undefined;
  /** The number of answers that its books contain for an account; undefined if it has no books. */
  booked(account: Account): Promise<number> | undefined;
  /** Kills it with kill -9, and restarts it. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The output cap in races for budgets: the output of the mock, so that a hold equals its charge. */
export const raceTokens = 21;
/** In a race, only the output costs: dollars or rubles per 1,000,000 tokens. */
export const racePrice = 2;
export const racePriceOfAnswer = (raceTokens * racePrice) / 1_000_000;
