import type { ClientEntry, Seen } from '../client-log.ts';
import type { ProviderCall } from '../journal-provider.ts';
import type { Findings } from './check-books.ts';
import type { StoredMessage } from './stored.ts';

/** Compares the client's log of a send with the messages of the same words. */
export function checkClient(
  { message, key, seen }: ClientEntry,
  stored: readonly StoredMessage[],
  callsByMessage: ReadonlyMap<string, readonly ProviderCall[]>,
  to: Findings,
): void {
  if (seen.how === 'answered') checkAnswer(message, seen, stored, to);
  if (seen.how === 'abridged') checkAbridged(message, seen, stored, to);
  if (seen.how === 'refused') {
    const charged = stored.filter(({ charges }) => charges > 0);
    if (charged.length > 0) to.chargedAfterError.push(`${message}: got ${seen.code}`);
  }
  if (seen.how === 'left' && seen.text !== '') {
    // A stream that broke before the client left keeps nothing.
    const kept = stored.some(
      ({ state, response }) => state === 'failed' || response.startsWith(seen.text),
    );
    if (!kept) to.lost.push(`${message}: the client had read "${seen.text}"`);
  }
  if (key !== undefined) {
    const failed = stored.filter(({ state }) => state === 'failed');
    const calls = callsByMessage.get(message)?.length ?? 0;
    if (calls > failed.length + 1) to.repeatedCalls.push(`${message}: ${calls} calls`);
  }
}

/** An answer under `/v1` does not name its message: the words of a finished one identify it. */
function checkAbridged(
  message: string,
  { text, cost }: Extract<Seen, { how: 'abridged' }>,
  stored: readonly StoredMessage[],
  to: Findings,
): void {
  const same = stored.find(
    ({ state, response }) => state === 'done' && (text === undefined || text === response),
  );
  if (!same) return void to.lost.push(`${message}: no message has the answer "${text}"`);
  if (same.charges !== 1) to.lost.push(`${message}: charged ${same.charges} times`);
  const stands = same.costRequest + same.costResponse;
  if (stands !== cost) {
    to.mischarged.push(`${message}: the client got ${cost}, not ${stands}`);
  }
}

function checkAnswer(
  message: string,
  seen: Extract<Seen, { how: 'answered' }>,
  stored: readonly StoredMessage[],
  to: Findings,
): void {
  const same = stored.find(({ id }) => id === seen.id);
  if (!same) return void to.lost.push(`${message}: there is no message ${seen.id}`);
  const { state, response, imageId, costRequest, costResponse, charges } = same;
  const isSame = imageId === null ? response === seen.response : seen.response.includes(imageId);
  if (state !== 'done' || !isSame || charges !== 1) {
    to.lost.push(`${message}: stored ${state}, charged ${charges} times`);
  }
  if (costRequest !== seen.costRequest || costResponse !== seen.costResponse) {
    const shown = `${seen.costRequest} + ${seen.costResponse}`;
    to.mischarged.push(`${message}: the client got ${shown}, not ${costRequest} + ${costResponse}`);
  }
}
