import type { HttpApp, HttpContext } from '../request-facts.ts';

type Handle = (c: HttpContext) => Promise<Response>;

/**
 * Mounts a path with the methods that it takes; every other method gets 405. That includes HEAD: a GET of this
 * interface uses up allowance or ends a session, and its headers can't be known without doing so.
 * @param refuse answers a method that the path does not take, in the words of that path
 */
export function mountMethods(
  app: HttpApp,
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
