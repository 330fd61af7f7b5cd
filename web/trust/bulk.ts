/** Checks many addresses, in calls of as many as the server accepts. */
import { call, type Data } from '../api/client.ts';
import type { TrustRecord } from '../api/types.ts';

/** Addresses in one call. */
export const CALL_MAX = 100;

export type Refused = Exclude<Data<'/trust/bulk/'>['records'][number], TrustRecord>;

export interface BulkResult {
  records: TrustRecord[];
  refused: Refused[];
}

/**
 * Checks addresses, and hands over the results of each call: they are kept, whatever happens later.
 * @throws ApiError of the first call that failed
 */
export async function checkAll(
  urls: readonly string[],
  onDone: (result: BulkResult, checked: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; start < urls.length; start += CALL_MAX) {
    const part = urls.slice(start, start + CALL_MAX);
    const { records } = await call('/trust/bulk/', { urls: part }, { signal });
    const result: BulkResult = { records: [], refused: [] };
    for (const one of records) {
      if ('error' in one) result.refused.push(one);
      else result.records.push(one);
    }
    onDone(result, start + part.length);
  }
}
