import { extname } from 'node:path';
import { DomainError } from '../../lib/errors.ts';
import { mountGet } from '../get-route.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { type PageFile, pageFiles } from './page-files.ts';

/**
 * What the page may do: run its own scripts and talk to its own server, nothing else. No text becomes HTML or code.
 * `tests/web/headers.test.ts` checks the text.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The web page under `/app/`: every path except its files answers the page, which reads its own address. */
export function mountPage(app: HttpApp): void {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  // Loaded when needed, since it would slow down every start.
  const load = () => (files ??= pageFiles());
  mountGet(app, '/app', (c) => c.redirect('/app/'));
  mountGet(app, '/app/assets/:name', async (c) => {
    const name = c.req.param('name') ?? '';
    const file = (await load()).get(`assets/${name}`);
    // A page of an older version asks for chunks that no longer exist. It then shows "reload".
    if (!file) throw new DomainError('not_found', 'the page has a new version: reload it');
    return answer(c, file, {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
  mountGet(app, '/app/*', async (c) => {
    const file = (await load()).get('index.html');
    if (!file) throw new Error('the page has no index.html');
    return answer(c, file, pageHeaders);
  });
}

/** Sends a file in the first of its encodings that the browser accepts. */
function answer(
  c: HttpContext,
  { plain, encoded }: PageFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const accepted = (c.req.header('accept-encoding') ?? '').split(',').map((part) => part.trim());
  for (const [name, bytes] of Object.entries(encoded)) {
    if (!accepted.includes(name)) continue;
    return new Response(bytes, {
      headers: { ...headers, 'content-encoding': name, vary: 'accept-encoding' },
    });
  }
  return new Response(plain, { headers: { ...headers, vary: 'accept-encoding' } });
}
