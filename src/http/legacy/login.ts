import { DomainError } from '../../lib/errors.ts';
import type { Authenticator } from '../../users/index.ts';
import { readBytes } from '../request-body.ts';
import { parseForm, type LegacyCharset } from './form.ts';
import { mountMethods, type LegacyApp, type LegacyContext } from './methods.ts';
import { loginRefusal } from './refusal.ts';
import { legacyText } from './text.ts';
import { REMEMBERED_SECONDS, sessionCookie, sessionToken } from './session-cookie.ts';

const FORM_MAX_BYTES = 64 * 1024;
const METHOD_NOT_ALLOWED = 405;

export interface LegacyLoginParts {
  authenticator: Authenticator;
  legacyCharset: LegacyCharset;
  /** True when the public URL is https. */
  secureCookies: boolean;
  /** No token lasts longer, so no cookie does. */
  sessionMaxSeconds: number;
}

/** `POST /login.php` (and `POST /`), `GET /login.php`, `GET /logout.php`: plain words, cookies. */
export function mountLegacyLogin(app: LegacyApp, parts: LegacyLoginParts): void {
  const { legacyCharset } = parts;
  const post = (c: LegacyContext) => login(c, parts);
  // Where a client that follows the redirect of a login arrives.
  const get = async (c: LegacyContext) =>
    legacyText((await isLoggedIn(c, parts)) ? 'yes' : 'no', legacyCharset);
  const refuse = (headers: Record<string, string>) =>
    legacyText('no', legacyCharset, METHOD_NOT_ALLOWED, headers);
  app.post('/', post);
  mountMethods(app, '/login.php', { get, post }, refuse);
  mountMethods(app, '/logout.php', { get: (c) => logout(c, parts) }, refuse);
}

async function login(c: LegacyContext, parts: LegacyLoginParts): Promise<Response> {
  const { authenticator, legacyCharset, secureCookies, sessionMaxSeconds } = parts;
  // As the specification observed it: another content type logs nobody in, and says nothing.
  const type = c.req.header('content-type')?.trim() ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    return legacyText('', legacyCharset);
  try {
    const body = await readBytes(c.req.raw, FORM_MAX_BYTES);
    const form = parseForm(Buffer.from(body).toString('latin1'), legacyCharset);
    // Without `auto` the client drops the cookie when it ends; the server does not learn of that.
    const ttlSeconds = Math.min(REMEMBERED_SECONDS, sessionMaxSeconds);
    const { token, user } = await authenticator.login({
      login: form.get('login') ?? '',
      password: form.get('pass') ?? '',
      address: c.env.address,
      ttlSeconds,
    });
    // There is no changing it here; the JSON interface says how.
    if (user.mustChangePassword) return legacyText('no', legacyCharset);
    return legacyText('yes', legacyCharset, 302, {
      location: '/login.php',
      'set-cookie': sessionCookie(token, {
        maxAgeSeconds: form.has('auto') ? ttlSeconds : undefined,
        secure: secureCookies,
      }),
    });
  } catch (error) {
    if (error instanceof DomainError) return loginRefusal(error, legacyCharset);
    throw error;
  }
}

async function isLoggedIn(
  c: LegacyContext,
  { authenticator, secureCookies }: LegacyLoginParts,
): Promise<boolean> {
  return authenticator.authenticate(sessionToken(c.req.raw, secureCookies)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false;
      throw error;
    },
  );
}

async function logout(c: LegacyContext, parts: LegacyLoginParts): Promise<Response> {
  const token = sessionToken(c.req.raw, parts.secureCookies);
  if (token !== undefined && (await isLoggedIn(c, parts))) {
    await parts.authenticator.logout(await parts.authenticator.authenticate(token, 'password'));
  }
  const cookie = sessionCookie('', { maxAgeSeconds: 0, secure: parts.secureCookies });
  return legacyText('yes', parts.legacyCharset, 200, { 'set-cookie': cookie });
}
