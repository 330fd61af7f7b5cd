import type { Migration } from './migration.ts';
import { remakeUsageDays } from './usage-sums.ts';

/** Sums of closed days by model. A chore fills the table. */
export const usageDays: Migration = {
  number: 36,
  name: 'usage-days',
  up: remakeUsageDays,
};
