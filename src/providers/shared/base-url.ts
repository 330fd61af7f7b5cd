/** The address with this path, if it has none: then either may be meant. */
export function withPath(baseUrl: string, path: string): string | undefined {
  return URL.parse(baseUrl)?.pathname === '/' ? baseUrl.replace(/\/+$/, '') + path : undefined;
}
