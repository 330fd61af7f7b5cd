/** Stands for the host that a request does not name; no host of that name exists (RFC 2606). */
const NO_HOST = 'http://host.invalid';
const SLASH = 0x2f;

/**
 * Makes `request.url` whole. Of a request without a usable Host (HTTP/1.0, as health checks send it, or an
 * empty one) the server gives the path alone, and everything that follows cuts the path out of an address.
 * The same request goes on, since its connection and its body hang on it.
 */
export function nameOrigin(request: Request): void {
  const { url } = request;
  if (url.charCodeAt(0) === SLASH) {
    Object.defineProperty(request, 'url', { value: NO_HOST + url });
  }
}
