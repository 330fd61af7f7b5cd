/** The cookie of the legacy interface holds a token like that of the JSON interface. */
const COOKIE = 'zastava_session';
/** With `auto` the cookie outlives the client for so long. */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;

/** @param maxAgeSeconds absent: until the client ends @param secure only over https */
export function sessionCookie(
  token: string,
  { maxAgeSeconds, secure }: { maxAgeSeconds: number | undefined; secure: boolean },
): string {
  const parts = [`${COOKIE}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  if (secure) parts.push('Secure');
  return parts.join('; ');
}

/** The token of the cookie, if the request carries one. */
export function sessionToken(request: Request): string | undefined {
  const header = request.headers.get('cookie') ?? '';
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === COOKIE) return part.slice(at + 1).trim();
  }
  return undefined;
}
