import { generateCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import type { Caller } from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';

/** A session of the page ends after this time without a request. */
export const IDLE_SECONDS = 12 * 3600;
/** A cookie older than this is replaced, so that a session in use does not end. */
const RENEWED_AFTER_SECONDS = 3600;

const COOKIE = 'zastava_page';
const HEADER = 'x-zastava-page';

/** The cookie of a session. @param secure true over https */
export function pageCookie(token: string, expiresAt: number, secure: boolean): string {
  return generateCookie(COOKIE, token, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    expires: new Date(expiresAt),
    ...(secure && { prefix: 'host' as const }),
  });
}

/**
 * The token of the page's session, if the page itself sent the request: pages of other sites can't set its header, and
 * browsers name the site of each request.
 */
export function pageToken(request: Request, secure: boolean): string | undefined {
  const cookies = request.headers.get('cookie');
  if (cookies === null || !isFromPage(request)) return undefined;
  const name = secure ? `__Host-${COOKIE}` : COOKIE;
  return parse(cookies, name)[name];
}

/**
 * Whether the page itself sent the request. Without TLS, browsers send no Sec-Fetch-Site; then the origin must be this
 * host.
 */
export function isFromPage({ headers }: Request): boolean {
  if (headers.get(HEADER) !== '1') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && URL.parse(origin)?.host === headers.get('host');
}

/** A new cookie for a session in use. @returns undefined while its cookie is new enough */
export async function renewedCookie(
  { authenticator, secureCookies }: Pick<OperationParts, 'authenticator' | 'secureCookies'>,
  caller: Caller,
): Promise<string | undefined> {
  const issued = await authenticator.renew(caller, IDLE_SECONDS, RENEWED_AFTER_SECONDS);
  return issued && pageCookie(issued.token, issued.expiresAt, secureCookies);
}
