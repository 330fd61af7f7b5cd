/**
 * The checker: the database, the provider's journal and the clients' logs are independent of each other, and must agree
 * on every send. The checker never calls the product.
 */
import type { DatabaseConfig } from '../../../../src/db/index.ts';
import type { ClientEntry } from '../client-log.ts';
import type { ProviderCall } from '../journal-provider.ts';
import { checkClient } from './check-client.ts';
import { checkMessage } from './check-message.ts';
import { checkProvider } from './check-provider.ts';
import { readStored } from './stored.ts';

/** The disagreements of the three records, by kind; a line names the message. */
export interface Findings extends Record<string, string[]> {
  /** Answers that a client has, but the database lacks, or has differently. */
  lost: string[];
  /** Sends that were charged more than once. */
  doubled: string[];
  /** Charges whose answer the provider never gave. */
  invented: string[];
  /** Answers of the provider that were not charged. */
  uncharged: string[];
  /** Charges that differ from usage × price, or from the charge that the client saw. */
  mischarged: string[];
  /** Charges for a send that failed for the client. */
  chargedAfterError: string[];
  /** More calls for one idempotency key than nodes that died in them, plus one. */
  repeatedCalls: string[];
  /** Messages that are still open, and accounts with open holds. */
  openHolds: string[];
  /** Proofs of the ledger that fail, and totals that are not the sums of their parts. */
  brokenBooks: string[];
}

export interface Records {
  database: DatabaseConfig;
  calls: readonly ProviderCall[];
  log: readonly ClientEntry[];
  /**
   * Whether a process may have died, or the database been away, between an answer of the provider and its charge: then
   * the answer may be lost to all, but only if no client has it.
   */
  died: boolean;
}

export interface Checked {
  findings: Findings;
  /** How much was compared: an empty comparison proves nothing. */
  compared: { messages: number; charged: number; calls: number; answered: number };
}

/** Call it when nothing runs any more, and each process that died has a successor. */
export async function checkBooks({ database, calls, log, died }: Records): Promise<Checked> {
  const stored = await readStored(database);
  const findings: Findings = {
    lost: [],
    doubled: [],
    invented: [],
    uncharged: [],
    mischarged: [],
    chargedAfterError: [],
    repeatedCalls: [],
    openHolds: stored.holding.map((id) => `user ${id}`),
    brokenBooks: [
      ...stored.brokenProofs,
      ...stored.wrongTotals.map((id) => `totals of user ${id}`),
    ],
  };
  const messages = Map.groupBy(stored.messages, ({ request }) => request);
  const callsByMessage = Map.groupBy(calls, ({ message }) => message);
  for (const message of stored.messages) {
    checkMessage(message, callsByMessage.get(message.request) ?? [], findings);
  }
  for (const [request, of] of messages) {
    if (of.reduce((sum, { charges }) => sum + charges, 0) > 1) findings.doubled.push(request);
  }
  for (const line of log)
    checkClient(line, messages.get(line.message) ?? [], callsByMessage, findings);
  if (!died) for (const call of calls) checkProvider(call, messages, findings);
  return {
    findings,
    compared: {
      messages: stored.messages.length,
      charged: stored.messages.filter(({ charges }) => charges > 0).length,
      calls: calls.length,
      answered: log.filter(({ seen }) => seen.how === 'answered' || seen.how === 'abridged').length,
    },
  };
}
