/**
 * The cookie of the legacy interface holds a token like that of the JSON interface. Over https its name has
 * the prefix by which browsers let no other host set it; over plain HTTP they would not take such a name.
 */
const COOKIE = 'zastava_session';
const COOKIE_OVER_HTTPS = `__Host-${COOKIE}`;
/** Seconds for which a cookie with `auto` lasts. */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;

/** @param maxAgeSeconds absent: until the client ends @param secure only over https */
export function sessionCookie(
  token: string,
  { maxAgeSeconds, secure }: { maxAgeSeconds: number | undefined; secure: boolean },
): string {
  const parts = [`${nameOf(secure)}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  if (secure) parts.push('Secure');
  return parts.join('; ');
}

/** The token of the cookie, if the request carries one. @param secure whether the cookies are of https */
export function sessionToken(request: Request, secure: boolean): string | undefined {
  const name = nameOf(secure);
  const header = request.headers.get('cookie') ?? '';
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function nameOf(secure: boolean): string {
  return secure ? COOKIE_OVER_HTTPS : COOKIE;
}
