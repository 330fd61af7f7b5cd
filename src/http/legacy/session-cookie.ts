import { generateCookie, getCookie } from 'hono/cookie';
import type { HttpContext } from '../request-facts.ts';

const COOKIE = 'zastava_session';
/** How long a cookie lasts that was requested with `auto`. */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;

/**
 * The cookie of the legacy interface. It holds a token like those of the JSON interface. Over https its name begins
 * with `__Host-`, so that browsers let no other host set it; over plain HTTP they would refuse that name.
 * @param maxAgeSeconds undefined: until the client ends @param secure true over https
 */
export function sessionCookie(
  token: string,
  { maxAgeSeconds, secure }: { maxAgeSeconds: number | undefined; secure: boolean },
): string {
  return generateCookie(COOKIE, token, {
    httpOnly: true,
    sameSite: 'Lax',
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    ...(secure && { prefix: 'host' as const }),
  });
}

/** The token in the request's cookie, if there is one. @param secure true over https */
export function sessionToken(c: HttpContext, secure: boolean): string | undefined {
  return getCookie(c, COOKIE, secure ? 'host' : undefined);
}
