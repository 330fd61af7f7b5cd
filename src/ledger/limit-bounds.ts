import { invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, type Micro } from '../lib/money.ts';
import type { KeyLimits, UserLimits } from './limit-rules.ts';

export const LIMIT_REQUESTS_MAX = 1_000_000;
export const LIMIT_TOKENS_MAX = 1_000_000_000_000;
export const LIMIT_MODELS_MAX = 1_000;

export const noLimits: UserLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  rublesPerDay: null,
  models: null,
};

/** The ids of models as they are stored. */
export function modelsText(models: UserLimits['models']): string | null {
  return models && models.join(' ');
}

export function modelsOf(text: string | null): UserLimits['models'] {
  return text === null ? null : text.split(' ').map(Number);
}

/** @throws `invalid_request` naming the field whose value is not possible as a limit */
export function checkLimits(changes: Partial<KeyLimits>): void {
  const { requestsPerMinute, tokensPerMinute, models } = changes;
  checkRange('requests_per_minute', requestsPerMinute, LIMIT_REQUESTS_MAX);
  checkRange('tokens_per_minute', tokensPerMinute, LIMIT_TOKENS_MAX);
  checkAmount('rubles_per_day', changes.rublesPerDay);
  checkAmount('rubles_per_month', changes.rublesPerMonth);
  checkAmount('rubles_total', changes.rublesTotal);
  if (models && (models.length === 0 || models.length > LIMIT_MODELS_MAX)) {
    throw invalidField('models', `must be 1 to ${LIMIT_MODELS_MAX} ids of models`);
  }
}

function checkRange(field: string, value: number | null | undefined, max: number): void {
  if (value == null || (Number.isSafeInteger(value) && value >= 1 && value <= max)) return;
  throw invalidField(field, `must be a whole number from 1 to ${max}`);
}

function checkAmount(field: string, value: Micro | null | undefined): void {
  if (value == null || (value > 0 && value <= AMOUNT_MAX)) return;
  throw invalidField(field, `must be above 0 and at most ${AMOUNT_MAX_TEXT} ₽`);
}

/** A list of models in its stored form: sorted, without duplicates. */
export function sortedModels(models: UserLimits['models']): UserLimits['models'] {
  return models && [...new Set(models)].toSorted((a, b) => a - b);
}
