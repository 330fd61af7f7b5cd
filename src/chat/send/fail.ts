import type { CatalogueModel } from '../../catalogue/index.ts';
import type { Cost } from '../../ledger/index.ts';
import { DomainError, stoppingError } from '../../lib/errors.ts';
import { formatRubles } from '../../lib/money.ts';
import { redact, type PrivateTexts } from '../../lib/redact.ts';
import { ProviderError } from '../../providers/index.ts';
import { afterCall, toCallerError } from './provider-errors.ts';
import { thoughtsIn } from '../context/conversation.ts';
import type { SenderParts } from './sender-parts.ts';
import type { Held } from './held.ts';
import { settleFailure } from './settle.ts';

/** How a send failed. */
export interface FailedSend {
  error: unknown;
  /** The model that was asked last. */
  served: CatalogueModel;
  /** True when our own shutdown ended it. */
  stopped: boolean;
  /** What had come of an answer. */
  delivered?: readonly string[];
}

/**
 * Ends a send that failed: voids its hold, or charges what a refusal cost. The log gets the provider's error text
 * without what it repeats of the request and of the answer.
 * @returns the error for the caller
 */
export async function failSend(
  parts: SenderParts,
  held: Held,
  { error, served, stopped, delivered = [] }: FailedSend,
): Promise<DomainError> {
  const told = error instanceof ProviderError ? toCallerError(error) : afterCall(error);
  const seen = stopped ? stoppingError(true) : told;
  const logged = error instanceof ProviderError && logFailure(parts, held, error, delivered);
  const usage = error instanceof ProviderError ? error.usage : undefined;
  const charged = await settleFailure(parts, held, served, seen.code, usage);
  await logged;
  if (charged > 0)
    seen.message += `; what the provider told that it used was charged: ${formatRubles(charged)}`;
  return seen;
}

/** The error for a client that read so slowly that the provider had to wait, and then broke off. */
export function heldUp(error: ProviderError, { request, response }: Cost): DomainError {
  const { code } = toCallerError(error);
  const charged = formatRubles(request + response);
  const message = `the stream broke after it had to wait for its reader; what was delivered was charged: ${charged}`;
  return new DomainError(code, message, { providerCalled: true, cause: error });
}

async function logFailure(
  { log }: SenderParts,
  held: Held,
  { fault, status, detail }: ProviderError,
  delivered: readonly string[],
): Promise<void> {
  const about = { user: held.userId, message: held.messageId, model: held.model.id };
  const told = detail && (await redact(detail, privateTextsOf(held, delivered)));
  log.warn({ ...about, fault, status, detail: told }, 'provider call failed');
}

/** All that the provider was sent and had answered. */
function privateTextsOf({ input, context }: Held, delivered: readonly string[]): PrivateTexts {
  const { message, systemPrompt, embedding, conversation } = input;
  const said = [message, systemPrompt, ...(embedding?.input ?? []), ...delivered];
  for (const { request, response } of context.items) said.push(request, response);
  if (!conversation) return { said, sent: [] };
  const { messages, options } = conversation;
  for (const { content } of messages) {
    if (typeof content === 'string') said.push(content);
    else for (const part of content ?? []) said.push(part.type === 'text' ? part.text : part.url);
  }
  said.push(...thoughtsIn(messages));
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
  return { said, sent: [JSON.stringify(options), ...calls.map((call) => call.arguments)] };
}
