import { cors } from 'hono/cors';
import { type Middleware, REPLAYED_HEADER } from './request-facts.ts';
import { limitHeaderNames } from './rate-limit-headers.ts';

/** Lets pages of the listed origins call with a token. Cookies are never shared across origins. */
export function crossOrigin(origins: string[]): Middleware {
  const allowing = cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST'],
    // `allowHeaders` is left open: SDKs send many headers of their own.
    exposeHeaders: [
      'x-request-id',
      'x-room-id',
      'retry-after',
      REPLAYED_HEADER,
      // Read by SDKs that run in a page.
      'x-should-retry',
      'request-id',
      ...limitHeaderNames,
    ],
    maxAge: 600,
  });
  // An OPTIONS that names no method is not a preflight (Fetch, "CORS-preflight request"): it gets 405 like any other.
  return (c, next) =>
    c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') === undefined
      ? next()
      : allowing(c, next);
}
