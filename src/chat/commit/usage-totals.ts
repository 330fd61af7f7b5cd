import {
  addCounts,
  noUsageCounts,
  prepareInsert,
  tables,
  usageCounts,
  type RowFor,
  type Tx,
} from '../../db/index.ts';
import { dayOf } from '../../lib/clock.ts';
import { partCounts } from '../../lib/units.ts';
import type { SettleCommand } from './commands.ts';
import { isFailure } from './settle-rows.ts';

const addUsage = prepareInsert(tables.usage_daily, {
  onConflict: addCounts('usage_daily', 'user_id, day, model_id, key_id', usageCounts),
});

/** A row of `usage_daily`. */
type Total = RowFor<typeof addUsage>;

/** What a batch adds to the usage by user, day, model and API key. */
export class UsageTotals {
  readonly #totals = new Map<string, Total>();

  add(settle: SettleCommand): void {
    const { cost, operatorCost, lost } = settle;
    const spend = cost.request + cost.response;
    const isRequest = settle.state !== 'failed' || spend > 0;
    if (!isRequest && operatorCost === 0) return;
    const total = this.#totalOf(settle);
    if (isRequest) {
      total.requests++;
      total.prompt_tokens += settle.usage.promptTokens ?? 0;
      total.completion_tokens += settle.usage.completionTokens ?? 0;
      for (const { count, column } of partCounts) total[column] += settle.usage[count] ?? 0;
      total.spend += spend;
    }
    if (operatorCost !== null) {
      total.operator_cost += operatorCost;
      total.costed_spend += spend;
      if (isRequest) total.costed_requests++;
    } else if (!isRequest) total.uncosted_failures++;
    if (lost !== null) {
      total.undercharges++;
      total.undercharged += lost;
    }
    if (settle.attempts.length > 0) addFailures(total, settle);
  }

  #totalOf({ userId, modelId, keyId, at }: SettleCommand): Total {
    const day = dayOf(at);
    const name = `${userId} ${day} ${modelId} ${keyId}`;
    const known = this.#totals.get(name);
    if (known) return known;
    const total = { user_id: userId, day, model_id: modelId, key_id: keyId, ...noUsageCounts };
    this.#totals.set(name, total);
    return total;
  }

  async flush(tx: Tx): Promise<void> {
    await addUsage(tx, [...this.#totals.values()]);
  }
}

/** Counts the failed attempts that the operator pays for. */
function addFailures(total: Total, { attempts, attemptCosts }: SettleCommand): void {
  for (const [index, attempt] of attempts.entries()) {
    const paid = attemptCosts[index] ?? 0;
    if (paid === 0 || !isFailure(attempt)) continue;
    total.failed_attempts++;
    total.failed_cost += paid;
  }
}
