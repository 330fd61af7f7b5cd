import type { FetchedResponse, FetchRequest, GuardedFetch } from './guarded-fetch.ts';

/**
 * One request, which stops at a redirect: following it is a separate request, perhaps to another site.
 * @throws as GuardedFetch.get
 */
export async function oneHop<T>(
  fetch: GuardedFetch,
  url: URL,
  request: Omit<FetchRequest, 'beforeHop'>,
  consume: (response: FetchedResponse) => Promise<T>,
): Promise<{ value: T } | { next: URL }> {
  let next: URL | undefined;
  const beforeHop = async (hop: URL): Promise<void> => {
    if (hop.href === url.href) return;
    next = new URL(hop);
    throw new Error(`redirected to ${hop.host}`);
  };
  try {
    return { value: await fetch.get(url, { ...request, beforeHop }, consume) };
  } catch (error) {
    if (next) return { next };
    throw error;
  }
}
