import { getPath } from 'hono/utils/url';
import { aiGroup } from './ai/group.ts';
import { beginningGroup, sessionGroup } from './auth/group.ts';
import { mountDocs } from './docs.ts';
import { mountHealth } from './health.ts';
import type { Handler, HttpParts } from './http-parts.ts';
import { mountImages } from './images.ts';
import { LazyApp } from './lazy-app.ts';
import { mountLegacyLogin } from './legacy/login.ts';
import { mountLegacyTrust } from './legacy/trust.ts';
import { mountMcp } from './mcp/mount.ts';
import type { HttpApp, RequestFacts } from './request-facts.ts';
import { mountOperations } from './run-operation.ts';
import { mountPage } from './web/page.ts';

interface RouteParts extends HttpParts {
  post: Handler;
}

/**
 * Mounts the routes that every server needs. The other routes, below, are loaded at the first request to one of them:
 * an idle server then starts sooner, and takes less memory.
 */
function mountMain(app: HttpApp, parts: RouteParts): void {
  mountHealth(app, parts.health, parts);
  mountOperations(
    app,
    [...beginningGroup(parts), ...aiGroup(parts), ...sessionGroup(parts)],
    parts,
  );
  mountImages(app, parts);
  mountMcp(app, parts);
  const { legacyCharset, hasPage } = parts;
  if (legacyCharset !== undefined) {
    mountLegacyLogin(app, { ...parts, legacyCharset });
    mountLegacyTrust(app, { ...parts, legacyCharset });
  }
  if (hasPage) mountPage(app);
  mountDocs(app, parts, { hasLegacy: legacyCharset !== undefined, hasPage });
}

/** By the first segment of their paths. */
const loadedLater: Readonly<Record<string, (app: HttpApp, parts: RouteParts) => Promise<void>>> = {
  account: async (app, parts) => {
    const { accountGroup } = await import('./account/group.ts');
    mountOperations(app, accountGroup(parts), parts);
  },
  admin: async (app, parts) => {
    const { adminGroup } = await import('./admin/group.ts');
    mountOperations(app, adminGroup(parts), parts);
  },
  trust: async (app, parts) => {
    const { trustGroup } = await import('./trust/group.ts');
    mountOperations(app, trustGroup(parts), parts);
  },
  v1: async (app, parts) => {
    const { mountCompatible } = await import('./compatible/mount.ts');
    mountCompatible(app, parts);
  },
};

/** Answers a request with the routes of its path. @param create makes an app without routes */
export class Routes {
  readonly #main: HttpApp;
  readonly #later: ReadonlyMap<string, LazyApp>;

  constructor(parts: RouteParts, create: () => HttpApp) {
    this.#main = create();
    mountMain(this.#main, parts);
    this.#later = new Map(
      Object.entries(loadedLater).map(([segment, mount]) => [
        segment,
        new LazyApp(create, (app) => mount(app, parts)),
      ]),
    );
  }

  fetch(request: Request, facts: RequestFacts): Response | Promise<Response> {
    const path = getPath(request);
    const end = path.indexOf('/', 1);
    const segment = path.slice(1, end < 0 ? undefined : end);
    return (this.#later.get(segment) ?? this.#main).fetch(request, facts);
  }
}
