import type { ProviderCall } from '../journal-provider.ts';
import type { Findings } from './check-books.ts';
import type { StoredMessage } from './stored.ts';

/**
 * Compares a call of the provider with the messages of the same words, if no process died: a whole answer is charged,
 * whether or not the client was still there.
 */
export function checkProvider(
  { message, ended, status }: ProviderCall,
  stored: ReadonlyMap<string, readonly StoredMessage[]>,
  to: Findings,
): void {
  if (ended !== 'answered' || status !== 200) return;
  const of = stored.get(message) ?? [];
  // A client may leave a stream after its last byte arrived and before it has read all of it.
  const kept = of.filter(({ state }) => state === 'done' || state === 'stopped');
  if (kept.length === 0) to.uncharged.push(`${message}: answered, and stored as ${statesOf(of)}`);
  else if (kept.every(({ charges }) => charges === 0)) to.uncharged.push(`${message}: for free`);
}

function statesOf(stored: readonly StoredMessage[]): string {
  return stored.map(({ state }) => state).join(', ') || 'nothing';
}
