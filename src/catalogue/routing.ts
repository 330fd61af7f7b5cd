/** How a provider's calls are spread over its keys and limited: reads, shows, stores and resolves these settings. */
import { resolve, type Environment } from './references.ts';

/** As a file defines it; keys are references, or keys in clear. */
export interface RoutingFacts {
  /** In place of the provider's `api_key`; empty: that one alone. */
  keys: readonly WeightedKey[];
  maxConcurrent: number | null;
  maxRequestsPerMinute: number | null;
}

export interface WeightedKey {
  key: string;
  /** Its share of the calls, relative to those of the others. */
  weight: number;
}

const noRouting: RoutingFacts = { keys: [], maxConcurrent: null, maxRequestsPerMinute: null };

/** The fields of a file that routing is made of. */
export interface RawRouting {
  api_keys?: readonly { key: string; weight?: number | undefined }[] | undefined;
  max_concurrent?: number | undefined;
  max_requests_per_minute?: number | undefined;
}

/** Undefined when the file has none of these fields. */
export function readRouting(raw: RawRouting): RoutingFacts | undefined {
  const { api_keys: keys, max_concurrent: maxConcurrent, max_requests_per_minute: perMinute } = raw;
  if (keys === undefined && maxConcurrent === undefined && perMinute === undefined)
    return undefined;
  return {
    keys: (keys ?? []).map(({ key, weight = 1 }) => ({ key, weight })),
    maxConcurrent: maxConcurrent ?? null,
    maxRequestsPerMinute: perMinute ?? null,
  };
}

/** How keys are listed: `${A}*3 (set)`. @param show what may be seen of a key */
export function showKeys({ keys } = noRouting, show: (key: string) => string): string | null {
  const shown = keys.map(({ key, weight }) => show(key) + (weight === 1 ? '' : `*${weight}`));
  return shown.join(' ') || null;
}

/** The texts in which an operator's variables may be named. */
export function textsOfRouting({ keys } = noRouting): string[] {
  return keys.map(({ key }) => key);
}

/** The same with every key passed through `change`. */
export async function withKeys(
  routing: RoutingFacts,
  change: (key: string) => Promise<string>,
): Promise<RoutingFacts> {
  const keys = await Promise.all(
    routing.keys.map(async ({ key, weight }) => ({ key: await change(key), weight })),
  );
  return { ...routing, keys };
}

/** Routing with its variables put in; undefined while one of them is unset. */
export function resolveRouting(
  { keys, maxConcurrent, maxRequestsPerMinute }: RoutingFacts,
  environment: Environment,
): ResolvedRouting | undefined {
  const resolved = keys.map(({ key, weight }) => ({ key: resolve(key, environment), weight }));
  const known = resolved.filter((each): each is WeightedKey => each.key !== undefined);
  if (known.length < keys.length) return undefined;
  return {
    keys: known,
    maxConcurrent: maxConcurrent ?? undefined,
    maxRequestsPerMinute: maxRequestsPerMinute ?? undefined,
  };
}

/** Ready for use, with its secrets: never log or print one. */
export interface ResolvedRouting {
  keys: readonly WeightedKey[];
  maxConcurrent: number | undefined;
  maxRequestsPerMinute: number | undefined;
}
