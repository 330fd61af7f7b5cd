import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { H, RouterRoute } from 'hono/types';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type DomainError, UnavailableError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { compatibleFailure, isCompatible } from './compatible/paths.ts';
import { failure, toDomainError } from './errors.ts';
import { errorInLanguage } from './languages.ts';
import { legacyRefusal, ParameterError } from './legacy/refusal.ts';
import type { LegacyCharset } from './legacy/text.ts';
import { limitHeaderNames } from './rate-limit-headers.ts';
import {
  type HttpApp,
  type HttpEnv,
  type Middleware,
  REPLAYED_HEADER,
  type RequestFacts,
} from './request-facts.ts';

export interface ErrorAnswerParts {
  /** Absent while the server is starting: it has no log yet. */
  log?: Log;
  /** Undefined without the legacy interface. */
  legacyCharset: LegacyCharset | undefined;
}

/** Scheme, authority, then the path. */
const pathPattern = /^[a-z]+:\/\/[^/]+([^?#]*)/i;

/**
 * The answer to any error, in the shape of the interface that the path belongs to: a line of the legacy interface, an
 * error of OpenAI's or Anthropic's dialect, or else the JSON envelope. Logs unexpected errors in full.
 */
export function errorAnswer(
  error: unknown,
  request: Request,
  facts: RequestFacts,
  { log, legacyCharset }: ErrorAnswerParts,
): Response {
  const path = pathPattern.exec(request.url)?.[1] ?? '';
  const { requestId } = facts;
  const known = toDomainError(error);
  facts.outcome = known.code;
  const refused = error instanceof UnavailableError ? known : error;
  const legacy = legacyCharset && legacyRefusal(request.method, path, refused, legacyCharset);
  if (legacy) {
    if (error instanceof ParameterError) facts.outcome = 'invalid_request';
    return legacy;
  }
  if (known.code === 'internal_error')
    log?.error({ request_id: requestId, err: error }, 'request failed');
  return isCompatible(path)
    ? compatibleFailure(path, request, known, requestId)
    : failure(errorInLanguage(known, request), requestId);
}

/** Lets pages of the listed origins call with a token. Cookies are never shared across origins. */
export function crossOrigin(origins: string[]): Middleware {
  const allowing = cors({
    origin: origins,
    allowMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
    // `allowHeaders` is left open: SDKs send many headers of their own.
    exposeHeaders: [
      'x-request-id',
      'x-room-id',
      'retry-after',
      REPLAYED_HEADER,
      // Read by SDKs that run in a web page.
      'x-should-retry',
      'request-id',
      ...limitHeaderNames,
    ],
    maxAge: 600,
  });
  // An OPTIONS request that names no method is not a preflight (Fetch, "CORS-preflight request"): it gets 405, as on
  // any path.
  return (c, next) =>
    c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') === undefined
      ? next()
      : allowing(c, next);
}

export interface HttpAppParts extends ErrorAnswerParts {
  corsOrigins: string[];
  /** The error for a path without a route. */
  otherwise: (path: string) => DomainError;
}

/** What Hono adds to its router: a handler with information about its route. */
type Routed = [handle: H, about: RouterRoute];

/** Records the pattern of the route that answers a request, for the access log. */
class NotingRouter extends RegExpRouter<Routed> {
  override add(method: string, path: string, [handle, about]: Routed): void {
    const noting: H<HttpEnv> = (c, next) => {
      c.env.route = path;
      return handle(c, next);
    };
    // Rules for all paths do not count as routes.
    super.add(method, path, [/^\/?\*$/.test(path) ? handle : noting, about]);
  }
}

/**
 * An app that has no routes yet: each error becomes an answer in the shape of the interface that was called, and pages
 * of the listed origins may call.
 *
 * Give each path one handler, with `app.all`. If a path has several, Hono composes them at each request, which costs a
 * send 4 to 6 % of its CPU time.
 */
export function createHttpApp({ corsOrigins, otherwise, ...errors }: HttpAppParts): HttpApp {
  // This router compiles all paths once, and refuses a path that it can't compile.
  const app = new Hono<HttpEnv>({ router: new NotingRouter() });
  app.onError((error, c) => errorAnswer(error, c.req.raw, c.env, errors));
  app.notFound((c) => errorAnswer(otherwise(c.req.path), c.req.raw, c.env, errors));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  return app;
}
