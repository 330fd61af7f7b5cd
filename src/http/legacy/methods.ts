import type { Context, Hono } from 'hono';
import type { RequestFacts } from '../request-facts.ts';

export type LegacyApp = Hono<{ Bindings: RequestFacts }>;
export type LegacyContext = Context<{ Bindings: RequestFacts }>;

type Handle = (c: LegacyContext) => Promise<Response>;

/**
 * Mounts a path with the methods that it takes; all others get 405. HEAD is one of those: a GET of this interface
 * takes one of the allowance or ends a session, and its headers can't be told without doing so.
 * @param refuse answers with the path's own words for a method that it does not take
 */
export function mountMethods(
  app: LegacyApp,
  path: string,
  { get, post }: { get: Handle; post?: Handle },
  refuse: (headers: Record<string, string>) => Response,
): void {
  const allow = post ? 'GET, POST' : 'GET';
  const refused = (): Response => refuse({ allow });
  // HEAD is routed as GET.
  app.get(path, (c) => (c.env.isHead ? refused() : get(c)));
  if (post) app.post(path, post);
  app.all(path, refused);
}
