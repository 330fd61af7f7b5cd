import type { IdempotencyKey } from '../chat/index.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { sha256Hex } from '../lib/ids.ts';

/** The header, with the value `true`, of an answer that was stored for the key; a new answer does not have it. */
export const REPLAYED_HEADER = 'idempotent-replayed';

const IDEMPOTENCY_KEY_MAX_CHARS = 255;

/** The caller's Idempotency-Key, bound to the operation and to the bytes of the body. */
export function idempotencyKey(
  operation: string,
  request: Request,
  bytes: Uint8Array,
): IdempotencyKey | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key === '' || key.length > IDEMPOTENCY_KEY_MAX_CHARS) {
    throw invalidField('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters`);
  }
  return { operation, key, bodySha256: sha256Hex(bytes) };
}

/**
 * The error for a caller whose answer was charged, but could not be delivered. With a key, a repeat gets the stored
 * answer; without one it would be charged again, so the error says where the answer is.
 */
export function undelivered(cause: unknown, key: IdempotencyKey | undefined): unknown {
  if (key) return cause;
  return new DomainError(
    'internal_error',
    'the answer is charged and in your history, but could not be delivered now: read it there',
    { providerCalled: true, cause },
  );
}
