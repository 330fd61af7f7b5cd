import { dueFor } from '../catalogue.ts';
import type { ProviderCall } from '../journal-provider.ts';
import type { Findings } from './check-books.ts';
import type { StoredMessage } from './stored.ts';

/** Compares a stored message with the provider's calls for it: its text, its usage, its charge. */
export function checkMessage(
  message: StoredMessage,
  calls: readonly ProviderCall[],
  to: Findings,
): void {
  const { request, state, charges, charged, costRequest, costResponse, hold } = message;
  const cost = costRequest + costResponse;
  const where = `${request} (${state}, message ${message.id})`;
  if (charged !== cost || charged > hold) {
    to.mischarged.push(`${where}: charged ${charged}, cost ${cost}, held ${hold}`);
  }
  if (state === 'pending') to.openHolds.push(where);
  if (state === 'failed' && charges > 0) to.invented.push(`${where}: a failure was charged`);
  if (state === 'done') checkDone(message, calls, where, to);
  if (state === 'stopped') checkStopped(message, calls, where, to);
}

function checkDone(
  message: StoredMessage,
  calls: readonly ProviderCall[],
  where: string,
  to: Findings,
): void {
  const { response, imageId, costRequest, costResponse, hold } = message;
  const answers = calls.filter(({ ended, status }) => ended === 'answered' && status === 200);
  const same = answers.find(({ kind, text }) =>
    imageId === null ? text === response : kind === 'image' || kind === 'speech',
  );
  if (!same) return void to.invented.push(`${where}: this is no answer of the provider`);
  // Tokens of speech are estimated, and have no price.
  const reported =
    same.kind === 'speech'
      ? { ...countedBy(message), ...unitsOf(same) }
      : (same.reported ?? countedBy(message));
  if (
    reported.prompt !== message.promptTokens ||
    reported.completion !== message.completionTokens
  ) {
    to.mischarged.push(`${where}: reported ${JSON.stringify(reported)}, stored another usage`);
  }
  const due = dueFor(same.kind === 'image' ? 'IMAGE' : 'TEXT', reported);
  const request = Math.min(due.request, hold);
  const answer = Math.min(due.response, hold - request);
  if (costRequest !== request || costResponse !== answer) {
    to.mischarged.push(
      `${where}: costs ${costRequest} + ${costResponse}, due ${request} + ${answer}`,
    );
  }
}

/**
 * A stream whose client disconnected: the stored text is the beginning of the provider's text. Without a word of it no
 * answer is charged; the request may be, since nobody can tell whether an interrupted call had arrived.
 */
function checkStopped(
  { response, costResponse }: StoredMessage,
  calls: readonly ProviderCall[],
  where: string,
  to: Findings,
): void {
  const isUncalled = calls.length === 0 && response === '' && costResponse === 0;
  if (isUncalled || calls.some(({ text }) => text.startsWith(response))) return;
  to.invented.push(`${where}: the provider never began with "${response}"`);
}

function unitsOf({ reported }: ProviderCall) {
  return { units: reported?.units ?? 0 };
}

/** The usage that the product estimated, if the provider reported none. */
function countedBy({ promptTokens, completionTokens, units }: StoredMessage) {
  const tokens = { prompt: promptTokens ?? 0, completion: completionTokens ?? 0 };
  return units === null ? tokens : { ...tokens, units };
}
