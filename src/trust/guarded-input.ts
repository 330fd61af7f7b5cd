import type { TextInput } from './graph/import/input.ts';
import { remoteBytes } from './graph/import/remote.ts';
import { bareAddresses } from './jobs/work.ts';
import { FetchFailure } from './page/failures.ts';
import type { GuardedFetch } from './page/guarded-fetch.ts';

/**
 * A file of a graph at an address that an admin sent over HTTP. Only public addresses are reached, and neither the secret
 * parts of the address nor what the file contains are quoted.
 */
export function guardedInput(address: string, fetch: GuardedFetch): TextInput {
  const label = bareAddresses(address);
  const open = async (headers: Record<string, string>, signal: AbortSignal) => {
    try {
      return await fetch.download(address, headers, signal);
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      // One message for all failures: otherwise the answers would map a private network.
      const message = 'no public server answers there; ZASTAVA_FETCH_ALLOW permits private ones';
      throw new Error(message, { cause: error });
    }
  };
  const source = { label, open };
  return {
    label,
    version: address,
    isQuotable: false,
    text: (signal, onSize) => remoteBytes(source, signal, onSize),
  };
}
