import type { ImageStore } from '../images/index.ts';
import { DomainError } from '../lib/errors.ts';
import { mountGet } from './get-route.ts';
import type { HttpApp } from './request-facts.ts';

/**
 * `GET /images/ID`, without a token, since the id can't be guessed. Supports ETags and single ranges (RFC 9110). The
 * bytes of an id never change.
 */
export function mountImages(app: HttpApp, { images }: { images: ImageStore }): void {
  mountGet(app, '/images/:id', async (c) => {
    const image = await images.find(c.req.param('id') ?? '');
    if (!image) throw new DomainError('not_found', 'there is no such image');
    const etag = `"${image.sha256}"`;
    const headers = {
      'content-type': image.contentType,
      'accept-ranges': 'bytes',
      // Private and short: a deleted image must not live on in shared caches.
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'",
      etag,
    };
    const known = c.req.header('if-none-match');
    if (known !== undefined && matches(known, etag)) {
      return new Response(null, { status: 304, headers });
    }
    const ifRange = c.req.header('if-range');
    // Only GET has ranges (RFC 9110, 14.2).
    const isWanted = !c.env.isHead && (ifRange === undefined || ifRange === etag);
    const range = parseRange(isWanted ? c.req.header('range') : undefined, image.size);
    if (range === 'unsatisfiable') {
      const contentRange = `bytes */${image.size}`;
      return new Response(null, {
        status: 416,
        headers: { ...headers, 'content-range': contentRange },
      });
    }
    const { start, end } = range ?? { start: 0, end: image.size };
    const length = { 'content-length': String(end - start) };
    const part = range && { 'content-range': `bytes ${start}-${end - 1}/${image.size}` };
    const init = { status: range ? 206 : 200, headers: { ...headers, ...length, ...part } };
    if (c.env.isHead) return new Response(null, init);
    const bytes = await images.read(image.id, range);
    if (!bytes) throw new DomainError('not_found', 'the bytes of this image are gone');
    return new Response(bytes as Uint8Array<ArrayBuffer>, init);
  });
}

function matches(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** @returns bytes [start, end); undefined for all bytes: no range, several ranges, or an unknown form */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
