import type { Sql } from '../db/index.ts';
import type { Micro } from '../lib/money.ts';
import { tokenCounts, type Price, type UsedTokens } from '../lib/units.ts';
import { costOf, costWithoutAnswer } from './rules.ts';

/** Shares are in hundredths of a percent. */
export const SHARES_PER_PERCENT = 100;
export const WHOLE_SHARE = 100n * BigInt(SHARES_PER_PERCENT);

/** The right price of the messages of a model. */
export interface RightPrice {
  /** The price at a moment, in milliseconds since 1970. */
  at: (moment: number) => Price;
  /** Whether the model answers with texts: of these, an empty one has no fixed charge. */
  isOfTexts: boolean;
}

/**
 * How much of each charge is refunded, earlier refunds included: a share in hundredths of a percent, or the part above
 * the right price.
 */
export type GivenBack = number | RightPrice;

/** A message that gets a refund. */
export interface Due {
  id: number;
  charge: Micro;
  refunded: Micro;
  amount: Micro;
}

/** Messages of a user by their ids, both included. */
export interface Window {
  userId: number;
  first: number;
  last: number;
}

/** Which messages, and how much of their charges. */
export interface DueAsk {
  /** The model that answered. */
  modelId: number;
  /** When messages were sent, in milliseconds since 1970: from this moment on. */
  from: number;
  /** Before this moment. */
  to: number;
  back: GivenBack;
}

type CountColumns = Record<(typeof tokenCounts)[number]['column'], number | null>;

interface Row extends Omit<Due, 'amount'>, CountColumns {
  state: string;
  created_at: number;
  /** Whether the answer was empty. Where the request is empty too, both texts were erased, and an answer is assumed. */
  is_empty: number;
}

const countColumns = tokenCounts.map(({ column }) => `m.${column}`).join(', ');

/** The refunds due for the messages of a window, in the order of their ids. */
export async function dueIn(sql: Sql, ask: DueAsk, window: Window): Promise<Due[]> {
  const rows = await sql.query<Row>(
    `SELECT m.id, m.cost_request + m.cost_response AS charge, COALESCE(given.refunded, 0) AS refunded,
       m.state, m.created_at, CASE WHEN m.response = '' AND m.request <> '' THEN 1 ELSE 0 END AS is_empty, ${countColumns}
     FROM messages m JOIN model_versions v ON v.id = m.version_id
     LEFT JOIN (SELECT message_id, CAST(SUM(amount) AS BIGINT) AS refunded FROM ledger_entries
       WHERE account = 'user' AND kind = 'refund' AND user_id = $1 AND message_id BETWEEN $2 AND $3
       GROUP BY message_id) given ON given.message_id = m.id
     WHERE m.user_id = $1 AND m.id BETWEEN $2 AND $3 AND m.created_at >= $4 AND m.created_at < $5
       AND v.model_id = $6 AND m.cost_request + m.cost_response > 0
     ORDER BY m.id`,
    [window.userId, window.first, window.last, ask.from, ask.to, ask.modelId],
  );
  return rows
    .map((row) => {
      const { id, charge, refunded } = row;
      return { id, charge, refunded, amount: backOf(row, ask.back) - refunded };
    })
    .filter(({ amount }) => amount > 0);
}

function backOf(row: Row, back: GivenBack): Micro {
  if (typeof back === 'number') return shareOf(row.charge, back);
  return Math.max(0, row.charge - costAt(row, back));
}

/** Rounded up to the micro-ruble, in favour of the user. @param share in hundredths of a percent */
function shareOf(charge: Micro, share: number): Micro {
  return Number((BigInt(charge) * BigInt(share) + WHOLE_SHARE - 1n) / WHOLE_SHARE);
}

/**
 * The right price of the message. A hold, or the price of a requested model whose fallback answered, may have made the
 * charge lower: then nothing is due.
 */
function costAt(row: Row, { at, isOfTexts }: RightPrice): Micro {
  const price = at(row.created_at);
  const used: Partial<UsedTokens> = {};
  for (const { count, column } of tokenCounts) {
    if (count !== 'totalTokens') used[count] = row[column] ?? 0;
  }
  const isAnswered = row.state !== 'failed' && !(isOfTexts && row.is_empty === 1);
  const cost = (isAnswered ? costOf : costWithoutAnswer)(price, used as UsedTokens);
  return cost.request + cost.response;
}
