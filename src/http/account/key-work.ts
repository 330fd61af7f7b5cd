/** Code shared by the operations on API keys of users and of operators. */
import type { z } from 'zod';
import type { Act } from '../../audit/index.ts';
import { apiKeyView, checkModelIds, newApiKeyView } from '../../chat/index.ts';
import { fromUnixSeconds, toUnixSeconds } from '../../lib/clock.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import {
  type Caller,
  keyIdOf,
  type KeyScope,
  ROTATION_OVERLAP_MS,
  type WantedApiKey,
} from '../../users/index.ts';
import { givenKeyLimits } from '../limit-fields.ts';
import { CONFIRMED_JUST_NOW_SECONDS, requirePassword } from '../web/confirmed.ts';
import type { OperationParts } from '../operation-parts.ts';
import type {
  apiKey,
  KeyChangeRequest,
  KeyRequest,
  newApiKey,
  rotatedApiKey,
  RotationRequest,
} from './key-schemas.ts';

export type KeyParts = Pick<
  OperationParts,
  'budgets' | 'catalogue' | 'clock' | 'keyChanges' | 'keys' | 'users'
>;

/**
 * Creates an API key. Only this answer shows it.
 * @param maker the calling user's credential; for somebody else's key, the maker's role and the act to record
 */
export async function createKey(
  { keys, ...parts }: KeyParts,
  userId: number,
  request: KeyRequest,
  maker: Pick<WantedApiKey, 'createdWith' | 'by' | 'act'>,
): Promise<z.input<typeof newApiKey>> {
  const { name, expires_at: expiresAt, scope, tags } = request;
  return newApiKeyView(
    await keys.create(userId, {
      name,
      expiresAt: fromUnixSeconds(expiresAt),
      scope: scope ?? undefined,
      tags: tags ?? undefined,
      budget: budgetOf(parts, userId, request),
      ...maker,
    }),
  );
}

/** @returns the key after the change; unchanged if there are no changes */
export async function changeKey(
  parts: KeyParts,
  userId: number,
  request: KeyChangeRequest,
  act?: Act,
): Promise<z.input<typeof apiKey>> {
  const { id, expires_at: expiresAt, tags } = request;
  const budget = budgetOf(parts, userId, request);
  if (expiresAt !== undefined || tags !== undefined || budget) {
    await parts.keyChanges.change(userId, id, {
      expiresAt: fromUnixSeconds(expiresAt),
      tags: tags === null ? [] : tags,
      budget,
      act,
    });
  }
  const key = await ownKey(parts, userId, id);
  return apiKeyView(key, await parts.budgets.get(id));
}

export async function rotateKey(
  { keyChanges, clock }: KeyParts,
  userId: number,
  { id, old_until: oldUntil }: RotationRequest,
  maker: Pick<WantedApiKey, 'createdWith' | 'act'>,
): Promise<z.input<typeof rotatedApiKey>> {
  const now = clock.now();
  const until = fromUnixSeconds(oldUntil) ?? now + ROTATION_OVERLAP_MS;
  const ends = oldUntil === 0 ? now : until;
  if (ends < now) throw invalidField('old_until', 'must be in the future, or 0: at once');
  const { key } = await keyChanges.rotate(userId, id, { oldUntil: ends, ...maker });
  return { id, key, old_until: toUnixSeconds(ends) };
}

/** @throws `not_found`, also for a key of another user */
export async function ownKey({ keys }: Pick<KeyParts, 'keys'>, userId: number, id: string) {
  const key = await keys.get(id);
  if (key.userId !== userId) throw new DomainError('not_found', 'this API key does not exist');
  return key;
}

/** Scopes of keys that can change what belongs to others. */
const powerful: readonly KeyScope[] = ['credit', 'operator', 'admin'];

/**
 * A key with power over others outlives the session that made it, so the page asks for the password first.
 * @param userId the user who will own the key
 * @param scope the requested scope; by default the role of an operator or admin
 * @throws `password_required`
 */
export async function confirmPowerfulKey(
  { users, clock }: KeyParts,
  caller: Caller,
  userId: number,
  scope: KeyRequest['scope'],
): Promise<void> {
  const wanted = scope ?? (await users.role(userId));
  if (wanted === 'user' || !powerful.includes(wanted)) return;
  requirePassword(caller, clock, CONFIRMED_JUST_NOW_SECONDS);
}

/** Prevents a key with limits from making or changing keys: it could lift its own limits. @throws `forbidden` */
export async function requireNoLimits({ budgets }: KeyParts, caller: Caller): Promise<void> {
  const keyId = keyIdOf(caller);
  if (keyId === undefined || !(await budgets.get(keyId))) return;
  throw new DomainError(
    'forbidden',
    'this API key has limits, and can neither make nor change keys: use a token from /auth/login/',
  );
}

/** @throws `forbidden` if a key is about to change itself, or has limits */
export async function requireMayChange(
  parts: KeyParts,
  caller: Caller,
  { id, expires_at: expiresAt }: KeyChangeRequest,
): Promise<void> {
  await requireNoLimits(parts, caller);
  if (keyIdOf(caller) === id) {
    throw new DomainError(
      'forbidden',
      'an API key can not change itself: use a token from /auth/login/, or another key',
    );
  }
  if (expiresAt !== undefined) await requireEarlierEnd(parts, caller, expiresAt);
}

/** @throws `invalid_request` if the new key would outlive the key that makes it */
export async function requireEarlierEnd(
  { keys }: KeyParts,
  caller: Caller,
  expiresAt: number | null | undefined,
): Promise<void> {
  const keyId = keyIdOf(caller);
  if (keyId === undefined) return;
  const end = (await keys.get(keyId)).expiresAt ?? Infinity;
  if ((fromUnixSeconds(expiresAt) ?? Infinity) <= end) return;
  throw invalidField(
    'expires_at',
    'must not be later than the end of the calling key: use a token from /auth/login/ for that',
  );
}

function budgetOf(
  { budgets, catalogue }: Pick<KeyParts, 'budgets' | 'catalogue'>,
  userId: number,
  request: Partial<KeyRequest>,
) {
  if (request.models) checkModelIds(catalogue, request.models);
  return budgets.change(userId, givenKeyLimits(request));
}
