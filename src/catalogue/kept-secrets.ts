/**
 * A shown catalogue has `(set)` in place of stored secrets. When it is applied again, `(set)` means that the stored
 * secret stays.
 */
import { DomainError, type ErrorDetail } from '../lib/errors.ts';
import type { StoredProvider } from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { isReference, MASK } from './references.ts';

/**
 * Replaces masks with the stored secrets. A provider keeps its secrets only if it is called at the same address:
 * otherwise a stranger could have them sent elsewhere.
 * @throws `invalid_request` with a detail for each mask without a stored secret
 */
export function withKeptSecrets(
  providers: readonly ProviderFacts[],
  stored: readonly StoredProvider[],
): readonly ProviderFacts[] {
  const details: ErrorDetail[] = [];
  const kept = providers.map((provider) => {
    const before = stored.find(({ facts }) => facts.code === provider.code);
    const secrets =
      before && !before.unreadable && isSame(before.facts, provider) ? before : undefined;
    return keep(provider, secrets?.facts, (field) =>
      details.push({ path: `providers.${provider.code}.${field}`, message: NOTHING_KEPT }),
    );
  });
  if (details.length === 0) return kept;
  throw new DomainError('invalid_request', `the catalogue was refused: ${NOTHING_KEPT}`, {
    details,
  });
}

const NOTHING_KEPT = `${MASK} keeps a stored key or header, but this provider has none stored for this kind, address and options: write the key or \${NAME}`;

function isSame(one: ProviderFacts, other: ProviderFacts): boolean {
  const { kind, baseUrl, options } = one;
  return Bun.deepEquals([kind, baseUrl, options], [other.kind, other.baseUrl, other.options]);
}

function keep(
  provider: ProviderFacts,
  before: ProviderFacts | undefined,
  refuse: (field: string) => void,
): ProviderFacts {
  const secrets = (before?.keys ?? []).map(({ key }) => key).filter((key) => !isReference(key));
  const keys = provider.keys.map(({ key, weight }) => {
    if (key !== MASK) return { key, weight };
    const next = secrets.shift();
    if (next === undefined) refuse('api_key');
    return { key: next ?? '', weight };
  });
  if (!provider.headers) return { ...provider, keys };
  const headers = Object.entries(provider.headers).map(([name, value]) => {
    if (value !== MASK) return [name, value];
    const next = before?.headers?.[name];
    if (next === undefined) refuse(`headers.${name}`);
    return [name, next ?? ''];
  });
  return { ...provider, keys, headers: Object.fromEntries(headers) as Record<string, string> };
}
