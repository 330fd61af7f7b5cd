import type { CatalogueModel } from '../../catalogue/index.ts';
import type { Cost } from '../../ledger/index.ts';
import { DomainError, stoppingError } from '../../lib/errors.ts';
import { formatRubles } from '../../lib/money.ts';
import { ProviderError, type Attempt } from '../../providers/index.ts';
import { afterCall, toCallerError } from './provider-errors.ts';
import type { SenderParts } from './sender-parts.ts';
import type { HeldSend } from './held.ts';
import { settleFailure } from './settle.ts';

/** How a send failed. */
export interface FailedSend {
  error: unknown;
  /** The model that was called last. */
  served: CatalogueModel;
  attempts: readonly Attempt[];
}

/**
 * Ends a send that failed: voids its hold, or charges what a refusal cost.
 * @param stopped true when our own shutdown ended it
 * @returns the error for the caller
 */
export async function failSend(
  parts: SenderParts,
  held: HeldSend,
  { error, served, attempts }: FailedSend,
  stopped: boolean,
): Promise<DomainError> {
  const known = error instanceof ProviderError ? toCallerError(error) : afterCall(error);
  const seen = stopped ? stoppingError(true) : known;
  if (error instanceof ProviderError) logFailure(parts, held, error);
  const usage = error instanceof ProviderError ? error.usage : undefined;
  const charged = await settleFailure(parts, held, served, seen.code, usage, attempts);
  if (charged > 0)
    seen.message += `; the usage that the provider reported was charged: ${formatRubles(charged)}`;
  return seen;
}

/** The error for a client that read so slowly that the provider had to wait and then broke off the stream. */
export function slowClientError(error: ProviderError, { request, response }: Cost): DomainError {
  const { code } = toCallerError(error);
  const charged = formatRubles(request + response);
  const message = `the provider broke off the stream after it had to wait for this client; what was delivered was charged: ${charged}`;
  return new DomainError(code, message, { providerCalled: true, cause: error });
}

/** The provider's message may quote the request or the answer, so only an operator who debugs gets it. */
function logFailure(
  { log }: SenderParts,
  held: HeldSend,
  { fault, status, detail, reported = {} }: ProviderError,
): void {
  const about = { user: held.userId, message: held.messageId, model: held.model.id };
  const { code, type, message: text } = reported;
  const facts = { ...about, fault, status, code, type, detail };
  log.warn(log.isLevelEnabled('debug') ? { ...facts, text } : facts, 'provider call failed');
}
