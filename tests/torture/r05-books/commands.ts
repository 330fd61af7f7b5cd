/** Random commands on a user's money, and their expected results, computed by additions alone. */
import fc from 'fast-check';
import { CAP_MAX, dueFor } from '../support/catalogue.ts';

const amount = fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 20_000_000 }));
const tokens = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 2 * CAP_MAX }));

export const command = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      cap: fc.integer({ min: 1, max: CAP_MAX }),
      reported: fc.record({ prompt: tokens, completion: tokens }),
      fails: fc.nat({ max: 5 }).map((n) => n === 5),
      stream: fc.boolean(),
      keyed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('credit' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('budget' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new room' as const) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
export type Send = Extract<Command, { do: 'send' }>;

/** Micro-rubles. */
export interface Model {
  balance: number;
  limit: number;
  charges: number;
  /** The total budget of the API key that sends. */
  budget: number;
  /** The sum of its charges. */
  spent: number;
}

/** A message's input tokens are at most its bytes and this. */
const TOKENS_A_MESSAGE = 16;

/** The highest cost of a send of these words. */
export function worstCase(message: string, cap: number): number {
  const prompt = Buffer.byteLength(message) + TOKENS_A_MESSAGE;
  const { request, response } = dueFor('TEXT', { prompt, completion: cap });
  return request + response;
}

/**
 * The required outcome of a send.
 * @returns the amount charged; undefined if it must be refused
 */
export function applySend(model: Model, { cap, reported, fails }: Send, message: string) {
  const hold = worstCase(message, cap);
  if (hold > model.balance + model.limit || hold > model.budget - model.spent) return undefined;
  if (fails) return 0;
  const due = dueFor('TEXT', reported);
  const charge = Math.min(due.request + due.response, hold);
  model.balance -= charge;
  model.spent += charge;
  if (charge > 0) model.charges++;
  return charge;
}
