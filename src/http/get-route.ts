import { methodNotAllowed } from './errors.ts';
import type { HttpApp, HttpContext } from './request-facts.ts';

/** Mounts a path that accepts only GET. HEAD is routed as GET. */
export function mountGet(
  app: HttpApp,
  path: string,
  answer: (c: HttpContext) => Response | Promise<Response>,
): void {
  app.all(path, (c) => {
    if (c.req.method !== 'GET') throw methodNotAllowed(c.req.path, 'GET');
    return answer(c);
  });
}
