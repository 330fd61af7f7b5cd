/** The operator's own headers for calls to a provider. Their values may be secrets, so they are treated like keys. */
import type { ProviderFacts } from './provider-facts.ts';
import { masked } from './references.ts';

export const HEADERS_MAX = 32;
export const HEADER_NAME_MAX = 100;

/** A token of RFC 9110. */
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that the gateway's own HTTP client sets. */
const ours: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @param headers with the names as written */
export function headersProblem(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (names.length > HEADERS_MAX) return `must be at most ${HEADERS_MAX} headers`;
  if (new Set(names).size < names.length) return 'contain the same header twice';
  return undefined;
}

export function headerNameProblem(name: string): string | undefined {
  if (name.length > HEADER_NAME_MAX || !nameForm.test(name)) {
    return `is not the name of a header, of at most ${HEADER_NAME_MAX} characters`;
  }
  return ours.has(name.toLowerCase()) ? 'is set by the gateway: leave it out' : undefined;
}

/** The headers without secrets: each value as its reference or `(set)`; null: no headers. */
export function showHeaders({ headers }: Pick<ProviderFacts, 'headers'>) {
  if (!headers) return null;
  const shown = Object.entries(headers).map(([name, value]) => [name, masked(value)]);
  return Object.fromEntries(shown) as Record<string, string>;
}
