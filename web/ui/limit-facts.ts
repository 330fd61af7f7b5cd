import type { UserLimits } from '../api/types.ts';
import { dayZone, number, rubles } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { micro } from '../lib/money.ts';

/** The limits that are set, with their names. */
export function limitFacts(limits: UserLimits): [name: string, value: string][] {
  const words = t().account;
  const facts: [name: string, value: string][] = [];
  const { requests_per_minute: requests, tokens_per_minute: tokens, rubles_per_day: day } = limits;
  if (requests !== null) facts.push([words.requestsPerMinute, number(requests)]);
  if (tokens !== null) facts.push([words.tokensPerMinute, number(tokens)]);
  if (day !== null) facts.push([words.rublesPerDay(dayZone.value), rubles(micro(day))]);
  if (limits.models !== null) facts.push([words.models, number(limits.models.length)]);
  return facts;
}
