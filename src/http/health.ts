import { DomainError, type Trouble, troubles } from '../lib/errors.ts';
import { isForwarded, isLoopback } from './client-address.ts';
import { mountGet } from './get-route.ts';
import { credentialOf, type HttpApp, type RequestFacts } from './request-facts.ts';
import type { OperationGate } from './run-operation.ts';

export interface Health {
  /**
   * Why requests are not served now: the server is stopping, or the database does not work. Undefined: they are served.
   */
  trouble(): Promise<'stopping' | Trouble | undefined>;
}

/** `/healthz`: the process is alive. `/readyz`: it serves requests. `/metrics`: for loopback, or an admin. */
export function mountHealth(
  app: HttpApp,
  health: Health,
  gate: OperationGate & { metricsText: () => Promise<string> },
): void {
  mountGet(app, '/healthz', (c) => c.json({ status: 'ok' }));
  mountGet(app, '/readyz', async (c) => {
    const trouble = await health.trouble();
    return trouble === undefined ? c.json({ status: 'ready' }) : notReady(trouble);
  });
  mountGet(app, '/metrics', async (c) => {
    if (!isLocal(c.env, c.req.raw.headers)) {
      const caller = await gate.authenticator.authenticate(credentialOf(c.req.raw), 'admin');
      if (!(await gate.users.isAdmin(caller.userId))) {
        throw new DomainError('forbidden', 'metrics are for loopback and for admins only');
      }
    }
    const text = await gate.metricsText();
    return c.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

/** The answer of `/readyz` while requests are not served. It contains no address, since anyone may ask. */
export function notReady(reason: 'starting' | 'stopping' | Trouble): Response {
  const message =
    reason === 'starting' || reason === 'stopping'
      ? `the server is ${reason}`
      : `the database is unavailable; ${troubles[reason]}`;
  const body = { status: 'not ready', reason, message };
  return Response.json(body, { status: 503, headers: { 'retry-after': '1' } });
}

/**
 * Behind a proxy on this machine every peer is loopback, so the forwarded addresses must be loopback too, even if the
 * operator forgot to trust the proxy: an untrusted header may refuse access, but never grant it.
 */
function isLocal(facts: RequestFacts, headers: Headers): boolean {
  return isLoopback(facts.peer) && isLoopback(facts.address) && !isForwarded(headers);
}
