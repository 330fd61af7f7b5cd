import type { Migration } from './migration.ts';
import { remakeUsageDays } from './usage-sums.ts';

/** Sums of spans of closed days by user and API key. A chore fills them, and the sums of closed days again. */
export const usageSpans: Migration = {
  number: 39,
  name: 'usage-spans',
  up: remakeUsageDays,
};
