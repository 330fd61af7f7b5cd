import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  RETRY_BUDGET_PERCENT,
  RETRY_BUDGET_RESERVE,
  RETRY_BUDGET_WINDOW_MS,
  RetryBudget,
} from '../../src/providers/routing/breaker.ts';

function budgetOf() {
  const time = { now: 0 };
  const budget = new RetryBudget(() => time.now);
  /**
   * This many calls all want a second attempt.
   * @returns how many got one
   */
  const sick = (calls: number) => {
    let retries = 0;
    for (let i = 0; i < calls; i++) {
      budget.countCall();
      if (budget.take()) retries++;
    }
    return retries;
  };
  return { budget, time, sick };
}

describe('the budget of retries', () => {
  test('is a reserve and a share of the calls', () => {
    const { sick } = budgetOf();
    expect(sick(RETRY_BUDGET_RESERVE)).toBe(RETRY_BUDGET_RESERVE);
    expect(sick(1_000 - RETRY_BUDGET_RESERVE)).toBe((1_000 * RETRY_BUDGET_PERCENT) / 100);
  });

  test('is restored when the window has passed, not before', () => {
    const { time, sick } = budgetOf();
    const all = sick(1_000);
    time.now += RETRY_BUDGET_WINDOW_MS / 2;
    expect(sick(10)).toBeLessThanOrEqual(1);
    time.now += RETRY_BUDGET_WINDOW_MS;
    expect(sick(1_000)).toBe(all);
  });

  test('is never exceeded, whatever the order of calls', () => {
    const events = fc.array(fc.record({ pause: fc.nat(5_000), wants: fc.boolean() }), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(events, (list) => {
        const { budget, time } = budgetOf();
        const calls: number[] = [];
        const retries: number[] = [];
        for (const { pause, wants } of list) {
          time.now += pause;
          budget.countCall();
          calls.push(time.now);
          if (wants && budget.take()) retries.push(time.now);
          const recent = (at: number) => at > time.now - (RETRY_BUDGET_WINDOW_MS * 5) / 6;
          const most =
            RETRY_BUDGET_RESERVE +
            (calls.filter((at) => at > time.now - RETRY_BUDGET_WINDOW_MS).length *
              RETRY_BUDGET_PERCENT) /
              100;
          expect(retries.filter(recent).length).toBeLessThanOrEqual(Math.ceil(most) + 1);
        }
      }),
    );
  });
});
