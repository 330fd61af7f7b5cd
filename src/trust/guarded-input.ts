import type { TextInput } from './graph/import/input.ts';
import { remoteBytes } from './graph/import/remote.ts';
import { bareAddresses } from './jobs/work.ts';
import { FetchFailure } from './page/failures.ts';
import type { GuardedFetch } from './page/guarded-fetch.ts';

/**
 * A file of a graph at a URL that an admin sent over HTTP. Only public addresses are reached. Neither the secret parts
 * of the URL nor the contents of the file are quoted.
 */
export function guardedInput(address: string, fetch: GuardedFetch): TextInput {
  const label = bareAddresses(address);
  const open = async (headers: Record<string, string>, signal: AbortSignal) => {
    try {
      return await fetch.download(address, headers, signal);
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      // One message for all failures: otherwise the answers could be used to map a private network.
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
