import type { Migration } from './migration.ts';
import { remakeUsageDays } from './usage-sums.ts';

/** Sums of spans of closed days by user and API key, which running sums replaced in schema 41. */
export const usageSpans: Migration = {
  number: 39,
  name: 'usage-spans',
  up: remakeUsageDays,
};
