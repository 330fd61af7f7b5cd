/** Stands for the host that a request does not name. No host can have this name (RFC 2606). */
const NO_HOST = 'http://host.invalid';
const SLASH = 0x2f;

/**
 * Completes `request.url`. Without a usable Host header (HTTP/1.0, as health checks send it, or an empty header) Bun
 * gives only the path, but routing needs a full URL. The request object stays the same, since its connection and body
 * depend on it.
 */
export function nameOrigin(request: Request): void {
  const { url } = request;
  if (url.charCodeAt(0) === SLASH) {
    Object.defineProperty(request, 'url', { value: NO_HOST + url });
  }
}

/**
 * Turns HEAD into GET. Hono would answer HEAD without a body, and then `content-length` is 0. Given the body, Bun sends
 * its length and leaves the body out.
 */
export function asGet(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
}
