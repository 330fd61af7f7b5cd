import { html } from 'hono/html';
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import { mountGet } from './get-route.ts';
import type { Operation } from './operation.ts';
import type { HttpApp } from './request-facts.ts';

/** Files of swagger-ui, served from the installed package instead of a CDN. */
const assets = [
  { name: 'swagger-ui.css', path: stylePath, type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', path: bundlePath, type: 'text/javascript; charset=utf-8' },
];

/** The page shows each operation once, without its other spelling. */
const startScript = `fetch('/openapi.json').then((answer) => answer.json()).then((spec) => {
  for (const [path, item] of Object.entries(spec.paths)) if (item['x-same-as']) delete spec.paths[path];
  window.ui = SwaggerUIBundle({
    spec, dom_id: '#ui', deepLinking: true, validatorUrl: null, docExpansion: 'list',
    defaultModelsExpandDepth: 0, persistAuthorization: false, tryItOutEnabled: true,
  });
});`;

/** swagger-ui sets styles by script, hence 'unsafe-inline' for styles. Scripts come only from here. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** `/openapi.json`, and `/docs`, a reference page that can send requests. */
export function mountDocs(
  app: HttpApp,
  operations: readonly Operation[],
  about: { hasLegacy: boolean; hasPage: boolean },
): void {
  let document: string | undefined;
  mountGet(app, '/openapi.json', async (c) => {
    // Loaded when needed, since it would slow down every start.
    const { openApiDocument } = await import('./openapi/document.ts');
    document ??= JSON.stringify(openApiDocument(operations, about));
    return c.body(document, 200, { 'content-type': 'application/json; charset=utf-8' });
  });
  // A browser that opens the bare address is shown a page; programs get not_found.
  app.get('/', (c, next) => {
    const isBrowser = c.req.header('accept')?.includes('text/html') ?? false;
    return isBrowser ? Promise.resolve(c.redirect(about.hasPage ? '/app/' : '/docs')) : next();
  });
  mountGet(app, '/docs/', (c) => c.redirect('/docs'));
  mountGet(app, '/docs', (c) =>
    c.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>Zastava API</title>
            <link rel="stylesheet" href="/docs/swagger-ui.css" />
            <link rel="icon" href="data:," />
          </head>
          <body>
            <div id="ui"></div>
            <script src="/docs/swagger-ui-bundle.js"></script>
            <script src="/docs/start.js"></script>
          </body>
        </html>`,
      200,
      { 'content-security-policy': policy },
    ),
  );
  mountGet(app, '/docs/start.js', (c) =>
    c.body(startScript, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  for (const { name, path, type } of assets) {
    mountGet(app, `/docs/${name}`, () => {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=3600' };
      return new Response(Bun.file(path), { headers });
    });
  }
}
