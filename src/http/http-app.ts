import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { DomainError } from '../lib/errors.ts';
import { crossOrigin } from './cross-origin.ts';
import { errorAnswer, type ErrorAnswerParts } from './error-answer.ts';
import type { HttpApp, HttpEnv } from './request-facts.ts';

export interface HttpAppParts extends ErrorAnswerParts {
  corsOrigins: string[];
  /** The error for a path without a route. */
  otherwise: (path: string) => DomainError;
}

/**
 * An app without routes: each error becomes an answer in the shape of the interface that was called, and pages of the
 * listed origins may call.
 *
 * Give each path one handler, with `app.all`. If a path has several, Hono composes them at each request, which costs
 * a send 4 to 6 % of its CPU time.
 */
export function createHttpApp({ corsOrigins, otherwise, ...errors }: HttpAppParts): HttpApp {
  // This router compiles all paths once, and refuses a path that it can't compile.
  const app = new Hono<HttpEnv>({ router: new RegExpRouter() });
  app.onError((error, c) => errorAnswer(error, c.req.raw, c.env, errors));
  app.notFound((c) => errorAnswer(otherwise(c.req.path), c.req.raw, c.env, errors));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  return app;
}
