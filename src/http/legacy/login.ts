import { generateCookie, getCookie } from 'hono/cookie';
import { DomainError } from '../../lib/errors.ts';
import type { TrustCheck } from '../../trust/index.ts';
import type { Authenticator, TrustAllowance } from '../../users/index.ts';
import { PUBLIC_BODY_MAX_BYTES, readBytes } from '../body/read.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { mountMethods } from './refusal.ts';
import { type LegacyCharset, legacyText, parseForm } from './text.ts';

const FORM_MAX_BYTES = PUBLIC_BODY_MAX_BYTES;
const METHOD_NOT_ALLOWED = 405;

export interface LegacyParts {
  authenticator: Authenticator;
  allowance: TrustAllowance;
  trust: TrustCheck;
  legacyCharset: LegacyCharset;
  /** True when the public URL is https. */
  secureCookies: boolean;
  /** The longest life of a token, and so of a cookie. */
  sessionMaxSeconds: number;
}

/** `POST /login.php` (and `POST /`), `GET /login.php`, `GET /logout.php`, with answers in plain text, and cookies. */
export function mountLegacyLogin(app: HttpApp, parts: LegacyParts): void {
  const { legacyCharset } = parts;
  const post = async (c: HttpContext) => {
    refuseOtherSites(c);
    return login(c, parts);
  };
  // A client that follows the redirect of a login arrives here.
  const get = async (c: HttpContext) =>
    legacyText((await isLoggedIn(c, parts)) ? 'yes' : 'no', legacyCharset);
  const refuse = (headers: Record<string, string>) =>
    legacyText('no', legacyCharset, METHOD_NOT_ALLOWED, headers);
  app.post('/', post);
  mountMethods(app, '/login.php', { get, post }, refuse);
  mountMethods(app, '/logout.php', { get: (c) => logout(c, parts) }, refuse);
}

async function login(c: HttpContext, parts: LegacyParts): Promise<Response> {
  const { authenticator, legacyCharset, secureCookies, sessionMaxSeconds } = parts;
  // As specified, a form with another content type logs nobody in, and gets an empty answer.
  const type = c.req.header('content-type')?.trim() ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    return legacyText('', legacyCharset);
  const body = await readBytes(c.req.raw, FORM_MAX_BYTES);
  const form = parseForm(Buffer.from(body).toString('latin1'), legacyCharset);
  // Without `auto` the client drops the cookie when it ends, and the server can't know when that is.
  const ttlSeconds = Math.min(REMEMBERED_SECONDS, sessionMaxSeconds);
  const { token, user, mustSetUpSecondFactor } = await authenticator.login({
    login: form.get('login') ?? '',
    password: form.get('pass') ?? '',
    // The forms of this interface have no field for a code.
    code: { appended: true },
    address: c.env.address,
    userAgent: c.env.userAgent,
    trace: c.env,
    audience: 'cookie',
    ttlSeconds,
  });
  c.env.userId = user.id;
  // This interface can neither change a password nor set up a second factor; the JSON interface says how.
  if (user.mustChangePassword || mustSetUpSecondFactor) return legacyText('no', legacyCharset);
  return legacyText('yes', legacyCharset, 302, {
    location: '/login.php',
    'set-cookie': sessionCookie(token, {
      maxAgeSeconds: form.has('auto') ? ttlSeconds : undefined,
      secure: secureCookies,
    }),
  });
}

async function isLoggedIn(
  c: HttpContext,
  { authenticator, secureCookies }: LegacyParts,
): Promise<boolean> {
  const token = sessionToken(c, secureCookies);
  return authenticator.authenticateCookie(token).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false;
      throw error;
    },
  );
}

async function logout(c: HttpContext, parts: LegacyParts): Promise<Response> {
  const token = sessionToken(c, parts.secureCookies);
  if (token !== undefined && (await isLoggedIn(c, parts))) {
    await parts.authenticator.logout(await parts.authenticator.authenticateCookie(token));
  }
  const cookie = sessionCookie('', { maxAgeSeconds: 0, secure: parts.secureCookies });
  return legacyText('yes', parts.legacyCharset, 200, { 'set-cookie': cookie });
}

const COOKIE = 'zastava_session';
/** How long a cookie lasts that was requested with `auto`, in seconds. */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;

/**
 * The cookie of the legacy interface. It contains a token that only this interface accepts. Over https its name begins
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

/**
 * The token in the request's cookie, if there is one.
 * @param secure true over https @throws `forbidden` for a request that a page of another site started
 */
export function sessionToken(c: HttpContext, secure: boolean): string | undefined {
  refuseOtherSites(c);
  return getCookie(c, COOKIE, secure ? 'host' : undefined);
}

/** Browsers mark such requests. A page of another site could log its visitors in and out, or use up their checks. */
function refuseOtherSites(c: HttpContext): void {
  if (c.req.header('sec-fetch-site') !== 'cross-site') return;
  throw new DomainError('forbidden', 'a page of another site may not use this interface');
}
