import type { Log } from '../lib/log.ts';
import { stoppingError } from '../lib/errors.ts';
import type { Drain } from './drain.ts';
import type { Metrics } from './metrics.ts';
import type { Middleware } from './request-facts.ts';
import { markAnswer } from './request-id.ts';

/** Adds the headers that every answer has. Once the server is stopping, each answer also closes its connection. */
export function marked(drain: Drain): Middleware {
  return async (c, next) => {
    await next();
    markAnswer(c.res, c.env.requestId);
    // So the client's next request goes to another node, and does not meet a closing connection.
    if (drain.stopping) c.res.headers.set('connection', 'close');
  };
}

/** Counts each request in the metrics, with its duration up to the response's head, and logs it at `debug`. */
export function measured({ metrics, log }: { metrics: Metrics; log: Log }): Middleware {
  return async (c, next) => {
    const start = performance.now();
    await next();
    const { requestId, method } = c.env;
    const { status } = c.res;
    const seconds = (performance.now() - start) / 1000;
    metrics.observeRequest(method, status, seconds);
    log.debug({ requestId, method, status, seconds }, 'request');
  };
}

/** Counts running requests, so that a stop can wait for them. Once the server is stopping, refuses new ones. */
export function draining(drain: Drain): Middleware {
  return async (_, next) => {
    if (drain.stopping) throw stoppingError(false);
    drain.begin();
    try {
      await next();
    } finally {
      drain.end();
    }
  };
}
