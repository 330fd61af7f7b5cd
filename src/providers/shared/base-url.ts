/** The address, also with this path appended if it has none: either may be meant. */
export function withPath(baseUrl: string, path: string): string | undefined {
  return URL.parse(baseUrl)?.pathname === '/' ? baseUrl.replace(/\/+$/, '') + path : undefined;
}
