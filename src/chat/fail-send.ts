import { DomainError } from '../lib/errors.ts';
import { ProviderError } from '../providers/index.ts';
import { stoppingError, toCallerError } from './provider-errors.ts';
import type { SenderParts } from './send-parts.ts';
import { settleFailure, type Held } from './settle-send.ts';

/**
 * Ends a send that failed: voids its hold, or charges what a refusal cost.
 * @param stopped true when our own shutdown ended it
 * @returns what the caller gets to see
 */
export async function failSend(
  parts: SenderParts,
  held: Held,
  error: unknown,
  stopped: boolean,
): Promise<unknown> {
  const told = error instanceof ProviderError ? toCallerError(error) : error;
  const seen = stopped ? stoppingError(true) : told;
  const code = seen instanceof DomainError ? seen.code : 'internal_error';
  if (error instanceof ProviderError) {
    const { fault, status, detail } = error;
    const about = { user: held.userId, message: held.messageId, model: held.model.id };
    parts.log.warn({ ...about, fault, status, detail }, 'provider call failed');
  }
  const usage = error instanceof ProviderError ? error.usage : undefined;
  await settleFailure(parts, held, code, usage);
  return seen;
}
