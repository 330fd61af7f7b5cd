/** Limits, and how much of them was used in the current minute and on the current day. */
export const limitColumns = {
  requests_per_minute: 'BIGINT NULL',
  tokens_per_minute: 'BIGINT NULL',
  rubles_per_day: 'BIGINT NULL',
  models: 'TEXT NULL',
  minute_start: 'BIGINT',
  minute_requests: 'BIGINT',
  minute_tokens: 'BIGINT',
  day: 'BIGINT',
  day_charged: 'BIGINT',
} as const;
