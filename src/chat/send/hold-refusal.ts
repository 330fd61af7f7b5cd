import { DomainError, invalidField } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import type { OwnedRefusal } from '../../ledger/index.ts';
import type { Quota } from '../../lib/quota.ts';
import type { HoldResult } from '../commit/commands.ts';
import { keyReused } from '../idempotency.ts';
import { roomNotFound } from '../rooms/rooms.ts';
import { noSuchModel } from './send-input.ts';
import { dayZone } from '../../lib/days.ts';

/** The error for a caller whose hold was not taken. Nothing was sent or charged. */
export function holdRefusal(
  result: Exclude<HoldResult, { kind: 'held' | 'replay' }>,
  modelId: number,
): DomainError {
  switch (result.kind) {
    case 'limited':
      return limitRefusal(result.refused, modelId, result.quotas);
    case 'room_not_found':
      return roomNotFound();
    case 'storage_full': {
      const [stored, most] = [result.storedBytes, result.storedBytesMax].map(inMib);
      return new DomainError(
        'invalid_request',
        `your messages and images take ${stored} MiB, and ${most} MiB are the most: delete rooms that you do not need (/ai/room/delete/), or ask the operator for more (ZASTAVA_USER_STORED_MIB)`,
      );
    }
    case 'in_progress':
      return new DomainError(
        'idempotency_in_progress',
        'the first request with this Idempotency-Key is still running: wait for it, then repeat',
      );
    case 'key_reused':
      return keyReused();
    case 'insufficient': {
      const needed = toRubles(result.needed);
      const available = toRubles(result.available);
      const affordable = result.affordableOutputTokens;
      const advice =
        affordable > 0
          ? `top up, or send max_output_tokens of at most ${affordable}`
          : 'top up the balance';
      return new DomainError(
        'insufficient_funds',
        `the request can cost up to ${needed} ₽ and ${available} ₽ are available: ${advice}`,
        {
          facts: { needed, available, max_output_tokens: affordable },
          details: [
            { path: 'needed', message: `${needed}` },
            { path: 'available', message: `${available}` },
            { path: 'max_output_tokens', message: `${affordable}` },
          ],
        },
      );
    }
  }
}

function inMib(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}

type Reached = Exclude<OwnedRefusal, { limit: 'models' }>;

/** The error for a call that the limits of its user or key do not allow to begin. Nothing was sent, held or charged. */
function limitRefusal(
  refusal: OwnedRefusal,
  modelId: number,
  quotas: readonly Quota[],
): DomainError {
  if (refusal.limit === 'models') return noSuchModel(modelId);
  const { retryAfterMs, left } = refusal;
  if (refusal.limit === 'rubles_total') return budgetUsedUp(refusal);
  if (retryAfterMs === null) return neverFits(refusal);
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  const message = `${reached(refusal)}: ${waitAdvice(refusal)}`;
  return new DomainError('rate_limited', message, {
    facts: {
      limit: refusal.limit,
      limit_of: refusal.owner,
      left: inUnits(refusal, left),
      ...(refusal.cap > 0 && { max_output_tokens: refusal.cap }),
    },
    retryAfterSeconds,
    quotas,
  });
}

/** Waiting does not help: the request itself has to be smaller. */
function neverFits(refusal: Reached): DomainError {
  const message = reached(refusal);
  if (refusal.cap > 0) {
    return invalidField('max_output_tokens', `${message}: send at most ${refusal.cap}`);
  }
  return refusal.limit === 'tokens_per_minute'
    ? new DomainError(
        'input_too_long',
        `${message}: send less, choose another model, or ask for a higher limit`,
      )
    : invalidField(
        'ai',
        `${message}: choose a cheaper model, send less, or ask for a higher limit`,
      );
}

/** States what is left of the limit or, for a request larger than the whole limit, the limit itself. */
function reached({ limit, owner, needs, left, whole, retryAfterMs }: Reached): string {
  // Nothing comes back of a budget in all, so it is never waited for.
  const isLarger = retryAfterMs === null && (limit !== 'rubles_total' || needs > whole);
  const its = owner === 'key' ? "this API key's limit" : 'your limit';
  if (limit === 'requests_per_minute') return `${its} of requests a minute is reached`;
  if (limit === 'tokens_per_minute') {
    return `the request can take up to ${needs} tokens, and ${
      isLarger ? `${its} is ${whole} a minute` : `${left} are left of ${its} a minute`
    }`;
  }
  const window = windows[limit] ?? '';
  return `the request can cost up to ${toRubles(needs)} ₽, and ${
    isLarger
      ? `${its} is ${toRubles(whole)} ₽${window}`
      : `${toRubles(left)} ₽ are left of ${its}${window}`
  }`;
}

const windows: Partial<Record<Reached['limit'], string>> = {
  rubles_per_day: ' a day',
  rubles_per_month: ' a month',
};

/** Waiting does not help either, as with a balance: clients must not repeat the request. */
function budgetUsedUp(refusal: Reached): DomainError {
  const { needs, left, cap } = refusal;
  const smaller = cap > 0 ? `, or send max_output_tokens of at most ${cap}` : '';
  const [needed, available] = [toRubles(needs), toRubles(left)];
  return new DomainError(
    'insufficient_funds',
    `${reached(refusal)} in all: ask for a larger budget, use another key${smaller}`,
    {
      facts: {
        needed,
        available,
        max_output_tokens: cap,
        limit: refusal.limit,
        limit_of: refusal.owner,
      },
      details: [
        { path: 'needed', message: `${needed}` },
        { path: 'available', message: `${available}` },
        { path: 'max_output_tokens', message: `${cap}` },
      ],
    },
  );
}

function waitAdvice({ limit, cap, retryAfterMs }: Reached): string {
  const seconds = Math.ceil((retryAfterMs ?? 0) / 1000);
  const isCounted = !(limit in windows) || seconds <= 1;
  const midnight = `0:00 ${dayZone()}`;
  const end = limit === 'rubles_per_day' ? midnight : `${midnight} on the first of the next month`;
  const wait = isCounted ? `wait ${seconds} s` : `wait until ${end}`;
  return cap > 0 ? `${wait}, or send max_output_tokens of at most ${cap}` : wait;
}

/** Calls and tokens are plain numbers, amounts are rubles. */
function inUnits({ limit }: Reached, value: number): number {
  return limit in windows ? toRubles(value) : value;
}
