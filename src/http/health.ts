import { DomainError } from '../lib/errors.ts';
import { isForwarded, isLoopback } from './client-address.ts';
import type { Metrics } from './metrics.ts';
import { credentialOf, type HttpApp, type RequestFacts } from './request-facts.ts';
import type { OperationGate } from './run-operation.ts';

export interface Health {
  /** True while requests are served: not stopping, and the database answers and accepts writes. */
  ready(): Promise<boolean>;
}

/** `/healthz`: the process is alive. `/readyz`: it serves requests. `/metrics`: for loopback, or an admin. */
export function mountHealth(
  app: HttpApp,
  health: Health,
  gate: OperationGate & { metrics: Metrics },
): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) =>
    (await health.ready()) ? c.json({ status: 'ready' }) : notReady(),
  );
  app.get('/metrics', async (c) => {
    if (!isLocal(c.env, c.req.raw.headers)) {
      const caller = await gate.authenticator.authenticate(credentialOf(c.req.raw), 'admin');
      if (!(await gate.users.isAdmin(caller.userId))) {
        throw new DomainError('forbidden', 'metrics are for loopback and for admins only');
      }
    }
    const text = await gate.metrics.text();
    return c.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

/** The answer of `/readyz` while requests are not served. */
export function notReady(): Response {
  return Response.json({ status: 'not ready' }, { status: 503, headers: { 'retry-after': '1' } });
}

/**
 * Behind a proxy on this machine every peer is loopback, so the forwarded addresses must be loopback too, even if the
 * operator forgot to trust the proxy: an untrusted header may refuse access, but never grant it.
 */
function isLocal(facts: RequestFacts, headers: Headers): boolean {
  return isLoopback(facts.peer) && isLoopback(facts.address) && !isForwarded(headers);
}
