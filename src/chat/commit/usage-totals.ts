import {
  addCounts,
  costCounts,
  noCostCounts,
  noRareUsageCounts,
  oldUsageCounts,
  pickColumns,
  prepareInsert,
  tables,
  together,
  usageCounts,
  type RowFor,
  type Tx,
  type UsageCount,
} from '../../db/index.ts';
import { dayOf } from '../../lib/days.ts';
import { partCounts } from '../../lib/units.ts';
import type { SettleCommand } from './commands.ts';
import { isFailure } from './settle-rows.ts';

const keyColumns = ['user_id', 'day', 'model_id', 'key_id'] as const;
const keyOfTotal = keyColumns.join(', ');

/** Adds to these sums of `usage_daily`. Most sends have few: each further column costs them. */
function prepareAdd<Count extends UsageCount>(counts: readonly Count[]) {
  return prepareInsert(pickColumns(tables.usage_daily, [...keyColumns, ...counts]), {
    onConflict: addCounts('usage_daily', keyOfTotal, counts),
  });
}

const addPlain = prepareAdd(oldUsageCounts);
const addCosted = prepareAdd([...oldUsageCounts, ...costCounts]);
const addFull = prepareAdd(usageCounts);

interface Total {
  plain: RowFor<typeof addPlain>;
  /** Undefined: all are zero. */
  costs: typeof noCostCounts | undefined;
  /** Undefined: all are zero. */
  rare: typeof noRareUsageCounts | undefined;
}

/** What a batch adds to the usage by user, day, model and API key. */
export class UsageTotals {
  readonly #totals = new Map<string, Total>();

  add(settle: SettleCommand): void {
    const { cost, operatorCost, lost, usage } = settle;
    const spend = cost.request + cost.response;
    const isRequest = settle.state !== 'failed' || spend > 0;
    if (!isRequest && operatorCost === 0) return;
    const total = this.#totalOf(settle);
    const { plain } = total;
    if (isRequest) {
      plain.requests++;
      plain.prompt_tokens += usage.promptTokens ?? 0;
      plain.completion_tokens += usage.completionTokens ?? 0;
      plain.spend += spend;
      for (const { count, column } of partCounts) {
        const used = usage[count];
        if (used) rareOf(total)[column] += used;
      }
    }
    if (operatorCost !== null) {
      const costs = (total.costs ??= { ...noCostCounts });
      costs.operator_cost += operatorCost;
      costs.costed_spend += spend;
      if (isRequest) costs.costed_requests++;
    } else if (!isRequest) rareOf(total).uncosted_failures++;
    if (lost !== null) {
      rareOf(total).undercharges++;
      rareOf(total).undercharged += lost;
    }
    if (settle.attempts.length > 0) addFailures(total, settle);
  }

  #totalOf({ userId, modelId, keyId, at }: SettleCommand): Total {
    const day = dayOf(at);
    const name = `${userId} ${day} ${modelId} ${keyId}`;
    const known = this.#totals.get(name);
    if (known) return known;
    const plain = {
      user_id: userId,
      day,
      model_id: modelId,
      key_id: keyId,
      requests: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      spend: 0,
    };
    const total: Total = { plain, costs: undefined, rare: undefined };
    this.#totals.set(name, total);
    return total;
  }

  async flush(tx: Tx): Promise<void> {
    const plain: RowFor<typeof addPlain>[] = [];
    const costed: RowFor<typeof addCosted>[] = [];
    const full: RowFor<typeof addFull>[] = [];
    for (const { plain: row, costs, rare } of this.#totals.values()) {
      if (rare) full.push({ ...row, ...(costs ?? noCostCounts), ...rare });
      else if (costs) costed.push({ ...row, ...costs });
      else plain.push(row);
    }
    await together([addPlain(tx, plain), addCosted(tx, costed), addFull(tx, full)]);
  }
}

function rareOf(total: Total): typeof noRareUsageCounts {
  return (total.rare ??= { ...noRareUsageCounts });
}

/** Counts the failed attempts that the operator pays for. */
function addFailures(total: Total, { attempts, attemptCosts }: SettleCommand): void {
  for (const [index, attempt] of attempts.entries()) {
    const paid = attemptCosts[index] ?? 0;
    if (paid === 0 || !isFailure(attempt)) continue;
    const rare = rareOf(total);
    rare.failed_attempts++;
    rare.failed_cost += paid;
  }
}
