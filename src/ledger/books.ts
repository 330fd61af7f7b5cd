import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { BulkRefunds } from './bulk-refunds.ts';
import { KeyBudgets } from './key-budgets.ts';
import { Ledger } from './ledger.ts';
import { Limits } from './limits.ts';
import { Refunds } from './refunds.ts';

export function openBooks(db: Database, clock: Clock) {
  return {
    ledger: new Ledger(db, clock),
    refunds: new Refunds(db, clock),
    bulkRefunds: new BulkRefunds(db, clock),
    limits: new Limits(db, clock),
    budgets: new KeyBudgets(db, clock),
  };
}
