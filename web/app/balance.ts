import { signal } from '@preact/signals';
import { call } from '../api/client.ts';
import type { Account } from '../api/types.ts';
import { dayZone } from '../i18n/format.ts';

/** The caller's account as it was last read: the head of the page shows what is available. */
export const account = signal<Account | undefined>(undefined);

/** Reads it again after a change of the balance is possible. @throws ApiError */
export async function refreshAccount(stop?: AbortSignal): Promise<Account> {
  const loaded = await call('/account/', {}, stop && { signal: stop });
  account.value = loaded;
  dayZone.value = loaded.day_zone;
  return loaded;
}
