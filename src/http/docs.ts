import { html } from 'hono/html';
import tokens from '../../web/styles/tokens.css' with { type: 'text' };
import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import stylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import { mountGet } from './get-route.ts';
import type { OperationParts } from './operation-parts.ts';
import type { HttpApp } from './request-facts.ts';

/** Files of swagger-ui, served from the installed package instead of a CDN. */
const assets = [
  { name: 'swagger-ui.css', path: stylePath, type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', path: bundlePath, type: 'text/javascript; charset=utf-8' },
];

/** The page shows each operation once, and leaves out its alternative path. */
const startScript = `const chosen = localStorage.getItem('zastava-theme');
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
document.documentElement.classList.toggle('dark-mode', isDark);
fetch('/openapi.json').then((answer) => answer.json()).then((spec) => {
  for (const [path, item] of Object.entries(spec.paths)) if (item['x-same-as']) delete spec.paths[path];
  window.ui = SwaggerUIBundle({
    spec, dom_id: '#ui', deepLinking: true, validatorUrl: null, docExpansion: 'list',
    defaultModelsExpandDepth: 0, persistAuthorization: false, tryItOutEnabled: true,
  });
});`;

/** The web page's look for what surrounds swagger-ui, and its colours and fonts for swagger-ui itself. */
const styles = `${tokens}
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 var(--font); }
header { padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); }
header a { display: inline-flex; align-items: center; min-height: var(--target); color: var(--text); }
header a, header a:hover { font-weight: 700; text-decoration: none; }
.swagger-ui, .swagger-ui :is(.info .title, .opblock-tag, .opblock .opblock-summary-description, .btn, label, h2, h3, h4,
  h5, p, table thead tr td, .parameter__name, .response-col_status, .tab li) { font-family: var(--font); }
html.dark-mode, .swagger-ui, .swagger-ui .scheme-container { background: var(--ground); box-shadow: none; }
.swagger-ui .info a { color: var(--accent); }
.swagger-ui :is(code, pre, .opblock-summary-path, .opblock-summary-method) { font-family: var(--mono); }
`;

/** The web page's policy, with exceptions for swagger-ui, which sets styles by script and turns text into HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json`, and `/docs`, a reference page that can send requests. */
export function mountDocs(
  app: HttpApp,
  parts: OperationParts,
  about: { hasLegacy: boolean; hasPage: boolean },
): void {
  let document: string | undefined;
  mountGet(app, '/openapi.json', async (c) => {
    // Loaded when needed, since it would slow down every start.
    const { openApiDocument } = await import('./openapi/document.ts');
    const { operationsOf } = await import('./operations.ts');
    document ??= JSON.stringify(openApiDocument(operationsOf(parts), about));
    return c.body(document, 200, { 'content-type': 'application/json; charset=utf-8' });
  });
  // A browser that opens the bare address gets the page; programs get not_found.
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
            <link rel="stylesheet" href="/docs/page.css" />
            <link rel="icon" href="data:," />
          </head>
          <body>
            ${about.hasPage ? html`<header><a href="/app/developers">← Zastava</a></header>` : ''}
            <div id="ui"></div>
            <script src="/docs/swagger-ui-bundle.js"></script>
            <script src="/docs/start.js"></script>
          </body>
        </html>`,
      200,
      {
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
    ),
  );
  mountGet(app, '/docs/start.js', (c) =>
    c.body(startScript, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  mountGet(app, '/docs/page.css', (c) =>
    c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
  for (const { name, path, type } of assets) {
    mountGet(app, `/docs/${name}`, () => {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=3600' };
      return new Response(Bun.file(path), { headers });
    });
  }
}
