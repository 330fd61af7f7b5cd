/** How a provider's calls are distributed over its keys and limited. */
import { resolve, type Environment } from './references.ts';

/** As a file defines it; keys are references, or keys in clear. */
export interface RoutingFacts {
  /** They replace the provider's `api_key`; empty: only that one is used. */
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

/** The routing fields of a file. */
export interface RawRouting {
  api_keys?: readonly { key: string; weight?: number | undefined }[] | undefined;
  max_concurrent?: number | undefined;
  max_requests_per_minute?: number | undefined;
}

/** Undefined when the file has none of these fields. */
export function readRouting(raw: RawRouting): RoutingFacts | undefined {
  const { api_keys: keys, max_concurrent: maxConcurrent, max_requests_per_minute: perMinute } = raw;
  if ((keys ?? maxConcurrent ?? perMinute) === undefined) return undefined;
  return {
    keys: (keys ?? []).map(({ key, weight = 1 }) => ({ key, weight })),
    maxConcurrent: maxConcurrent ?? null,
    maxRequestsPerMinute: perMinute ?? null,
  };
}

/** The keys with their weights, e.g. `${A}*3 (set)`. @param show the visible form of a key */
export function showKeys({ keys } = noRouting, show: (key: string) => string): string | null {
  const shown = keys.map(({ key, weight }) => show(key) + (weight === 1 ? '' : `*${weight}`));
  return shown.join(' ') || null;
}

/** The texts that may refer to environment variables. */
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

/** Routing with its variables substituted; undefined if one of them is not set. */
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

/** Ready for use. It holds secrets: never log or print it. */
export interface ResolvedRouting {
  keys: readonly WeightedKey[];
  maxConcurrent: number | undefined;
  maxRequestsPerMinute: number | undefined;
}
