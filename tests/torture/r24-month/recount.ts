/** The month computed a second time: from the provider's bills and the price lists, by additions alone. */
import type { Billed } from './billing-provider.ts';
import { dueFor, holdFor, paidFor, priceLists, totalOf, type Sold } from './price-list.ts';

/** A send, as its client knows it. */
export interface MonthSend {
  message: string;
  /** `YYYY-MM-DD`. */
  day: string;
  userId: number;
  keyId: string;
  /** The requested model. */
  ai: number;
  cap: number;
  /** Which price list was in effect. */
  list: number;
}

/** Micro-rubles and counts, by the names of the report. */
export interface Sums extends Record<string, bigint> {
  requests: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  cached_tokens: bigint;
  reasoning_tokens: bigint;
  revenue: bigint;
  cost: bigint;
  margin: bigint;
  unknown_cost_messages: bigint;
  unknown_cost_revenue: bigint;
  undercharges: bigint;
  undercharged: bigint;
  failed_attempts: bigint;
  failed_cost: bigint;
}

/** A message that was charged. */
export interface Counted {
  send: MonthSend;
  /** The id of the model that answered. */
  model: number;
  charge: bigint;
  sums: Sums;
}

/** A message's input tokens are at most its bytes and this. */
const TOKENS_A_MESSAGE = 16;

/** Sends use only models of the list. */
function soldAs(list: number, is: (model: Sold) => boolean): Sold {
  const found = priceLists[list]?.models.find(is);
  if (!found) throw new Error('the price list has no such model');
  return found;
}

/** The required charge of a send whose call was billed. */
export function count(send: MonthSend, { model: name, used, isAnswer, message }: Billed): Counted {
  const { list } = send;
  const requested = soldAs(list, ({ id }) => id === send.ai);
  const served = soldAs(list, ({ model }) => model === name);
  const dues = [requested, served].map((one) => dueFor(one.price, used, isAnswer));
  const [ofRequested, ofServed] = dues.map(totalOf) as [bigint, bigint];
  const due = isAnswer && ofRequested < ofServed ? ofRequested : ofServed;
  const bytes = Buffer.byteLength(message) + TOKENS_A_MESSAGE;
  const hold = holdFor(requested.price, bytes, send.cap);
  const charge = due < hold ? due : hold;
  const paid = paidFor(served, priceLists[list]?.dollar ?? 0n, used);
  const isOver = charge < due;
  return {
    send,
    model: served.id,
    charge,
    sums: {
      requests: 1n,
      prompt_tokens: BigInt(used.prompt),
      completion_tokens: BigInt(used.completion),
      cached_tokens: BigInt(used.cached),
      reasoning_tokens: BigInt(used.reasoning),
      revenue: charge,
      cost: paid ?? 0n,
      margin: paid === undefined ? 0n : charge - paid,
      unknown_cost_messages: paid === undefined ? 1n : 0n,
      unknown_cost_revenue: paid === undefined ? charge : 0n,
      undercharges: isOver ? 1n : 0n,
      undercharged: due - charge,
      failed_attempts: isAnswer || paid === undefined ? 0n : 1n,
      failed_cost: isAnswer ? 0n : (paid ?? 0n),
    },
  };
}

/** Sums by a part of the messages. */
export function sumBy(
  counted: readonly Counted[],
  partOf: (one: Counted) => string,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const one of counted) {
    const part = partOf(one);
    const before = sums.get(part);
    sums.set(part, before ? added(before, one.sums) : one.sums);
  }
  return sums;
}

function added(one: Sums, other: Sums): Sums {
  const entries = Object.entries(one).map(([name, value]) => [name, value + (other[name] ?? 0n)]);
  return Object.fromEntries(entries) as Sums;
}

/** Money that was paid into an account, or taken back. */
export interface Movement {
  userId: number;
  day: string;
  kind: 'payments' | 'refunds' | 'corrections';
  amount: bigint;
}

export interface Account extends Record<string, bigint> {
  opening_balance: bigint;
  payments: bigint;
  refunds: bigint;
  corrections: bigint;
  charges: bigint;
  closing_balance: bigint;
  held: bigint;
}

/**
 * The accounts of these days, both included.
 * @param userId absent: all together
 */
export function accountOf(
  { counted, movements }: { counted: readonly Counted[]; movements: readonly Movement[] },
  { from, to, userId }: { from: string; to: string; userId?: number },
): Account {
  const isMeant = (one: { userId: number; day: string }) =>
    (userId === undefined || one.userId === userId) && one.day <= to;
  const account = { payments: 0n, refunds: 0n, corrections: 0n, charges: 0n };
  let opening = 0n;
  for (const one of movements.filter(isMeant)) {
    if (one.day < from) opening += one.amount;
    else account[one.kind] += one.amount;
  }
  for (const { send, charge } of counted.filter((one) => isMeant(one.send))) {
    if (send.day < from) opening -= charge;
    else account.charges += charge;
  }
  const { payments, refunds, corrections, charges } = account;
  const closing = opening + payments + refunds + corrections - charges;
  return { opening_balance: opening, ...account, closing_balance: closing, held: 0n };
}
