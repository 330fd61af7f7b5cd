import type { ProviderSetup } from '../../lib/provider-setup.ts';
import type { Secrets } from './reported-failure.ts';

/** Texts that must not appear in reported errors: the key, and the values of the operator's headers. */
export function secretsOf({ apiKey, headers }: Pick<ProviderSetup, 'apiKey' | 'headers'>): Secrets {
  return headers ? [apiKey ?? '', ...Object.values(headers)] : apiKey;
}
