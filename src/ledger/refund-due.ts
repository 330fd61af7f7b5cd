import type { Sql } from '../db/index.ts';
import { invalidField } from '../lib/errors.ts';
import { parseDecimal, type Micro } from '../lib/money.ts';
import { tokenCounts, type AnswerTokens, type Price } from '../lib/units.ts';
import { answerLeft, wasAnswered, type AnsweredRow } from './answered.ts';
import { costOf, costWithoutAnswer } from './rules.ts';

/** Shares are in hundredths of a percent. */
const SHARES_PER_PERCENT = 100;
const WHOLE_SHARE = 100n * BigInt(SHARES_PER_PERCENT);

/**
 * @param percent up to 100
 * @returns the share in hundredths of a percent
 * @throws `invalid_request` if it is not above 0, or has more than two decimals
 */
export function shareOfPercent(percent: number | string): number {
  const share = parseDecimal(percent, SHARES_PER_PERCENT);
  if (share !== undefined && share > 0 && share <= WHOLE_SHARE) return share;
  throw invalidField('percent', 'must be above 0, at most 100, and have at most two decimals');
}

export interface RightPrice {
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
export interface DueQuery {
  /** The model that answered. */
  modelId: number;
  /** When messages were sent: from this moment on. */
  from: number;
  /** Before this moment. */
  to: number;
  back: GivenBack;
}

interface Row extends Omit<Due, 'amount'>, AnswerTokens, AnsweredRow {
  at: number;
}

const countColumns = tokenCounts
  .map(({ count, column }) => `COALESCE(m.${column}, 0) AS "${count}"`)
  .join(', ');

/** The refunds due for the messages of a window, in the order of their ids. */
export async function dueIn(sql: Sql, query: DueQuery, window: Window): Promise<Due[]> {
  const rows = await sql.query<Row>(
    `SELECT m.id, m.cost_request + m.cost_response AS charge, COALESCE(given.refunded, 0) AS refunded,
       m.state, m.created_at AS at, ${countColumns},
       ${answerLeft('m')} AS answer
     FROM messages m JOIN model_versions v ON v.id = m.version_id
     LEFT JOIN (SELECT message_id, CAST(SUM(amount) AS BIGINT) AS refunded FROM ledger_entries
       WHERE account = 'user' AND kind = 'refund' AND user_id = $1 AND message_id BETWEEN $2 AND $3
       GROUP BY message_id) given ON given.message_id = m.id
     WHERE m.user_id = $1 AND m.id BETWEEN $2 AND $3 AND m.created_at >= $4 AND m.created_at < $5
       AND v.model_id = $6 AND m.cost_request + m.cost_response > 0
     ORDER BY m.id`,
    [window.userId, window.first, window.last, query.from, query.to, query.modelId],
  );
  return rows
    .map((row) => {
      const { id, charge, refunded } = row;
      return { id, charge, refunded, amount: backOf(row, query.back) - refunded };
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
  const cost = (wasAnswered(row, isOfTexts) ? costOf : costWithoutAnswer)(at(row.at), row);
  return cost.request + cost.response;
}
