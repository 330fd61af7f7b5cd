import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { REPLAYED_HEADER } from './idempotency-key.ts';
import { limitHeaderNames } from './rate-limit-headers.ts';

/** A browser page of a listed origin may call with a token; cookies are never shared across origins. */
export function crossOrigin(origins: string[]): MiddlewareHandler {
  const answered = cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST'],
    // Those that the browser asks for: SDKs send many of their own. Cookies are never shared.
    exposeHeaders: [
      'x-request-id',
      'x-room-id',
      'retry-after',
      REPLAYED_HEADER,
      // SDKs in a page obey the one, and name a request by the other.
      'x-should-retry',
      'request-id',
      ...limitHeaderNames,
    ],
    maxAge: 600,
  });
  // An OPTIONS that asks for no method is no preflight (Fetch, "CORS-preflight request"), but a method that is refused.
  return (c, next) =>
    c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') === undefined
      ? next()
      : answered(c, next);
}

/** Answers what no route gets to see as the routes would have it: a page must be able to read why it is refused. */
export type AcrossOrigins = (
  request: Request,
  answer: () => Response,
) => Response | Promise<Response>;

/** @param origins those of `crossOrigin` */
export function acrossOrigins(origins: string[]): AcrossOrigins {
  if (origins.length === 0) return (_request, answer) => answer();
  const app = new Hono<{ Bindings: { answer: () => Response } }>();
  app.use(crossOrigin(origins));
  app.all('*', (c) => c.env.answer());
  return (request, answer) => app.fetch(routed(request), { answer });
}

/**
 * HEAD as GET: the router would answer it without a body, and then the length in the headers is 0. With one the
 * runtime tells its length, and leaves it out.
 */
export function routed(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
}
