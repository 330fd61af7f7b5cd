import type { DomainError } from '../lib/errors.ts';
import { formatRubles } from '../lib/money.ts';
import { ProviderError } from '../providers/index.ts';
import { afterCall, stoppingError, toCallerError } from './provider-errors.ts';
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
): Promise<DomainError> {
  const told = error instanceof ProviderError ? toCallerError(error) : afterCall(error);
  const seen = stopped ? stoppingError(true) : told;
  if (error instanceof ProviderError) {
    const { fault, status, detail } = error;
    const about = { user: held.userId, message: held.messageId, model: held.model.id };
    parts.log.warn({ ...about, fault, status, detail }, 'provider call failed');
  }
  const usage = error instanceof ProviderError ? error.usage : undefined;
  const charged = await settleFailure(parts, held, seen.code, usage);
  if (charged > 0)
    seen.message += `; what the provider told that it used was charged: ${formatRubles(charged)}`;
  return seen;
}
