import { invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT } from '../lib/money.ts';
import type { UserLimits } from './limit-rules.ts';

/** The largest limit of calls per minute. */
export const LIMIT_REQUESTS_MAX = 1_000_000;
/** The largest limit of tokens per minute. */
export const LIMIT_TOKENS_MAX = 1_000_000_000_000;
/** The most models in the list of a user. */
export const LIMIT_MODELS_MAX = 1_000;

/** The limits of a user who has none. */
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

/** @throws `invalid_request` naming the field that no user can have as a limit */
export function checkLimits(changes: Partial<UserLimits>): void {
  const { requestsPerMinute, tokensPerMinute, rublesPerDay, models } = changes;
  checkRange('requests_per_minute', requestsPerMinute, LIMIT_REQUESTS_MAX);
  checkRange('tokens_per_minute', tokensPerMinute, LIMIT_TOKENS_MAX);
  if (rublesPerDay != null && !(rublesPerDay > 0 && rublesPerDay <= AMOUNT_MAX)) {
    throw invalidField('rubles_per_day', `must be above 0 and at most ${AMOUNT_MAX_TEXT} ₽`);
  }
  if (models && (models.length === 0 || models.length > LIMIT_MODELS_MAX)) {
    throw invalidField('models', `must be 1 to ${LIMIT_MODELS_MAX} ids of models`);
  }
}

function checkRange(field: string, value: number | null | undefined, max: number): void {
  if (value == null || (Number.isSafeInteger(value) && value >= 1 && value <= max)) return;
  throw invalidField(field, `must be a whole number from 1 to ${max}`);
}
