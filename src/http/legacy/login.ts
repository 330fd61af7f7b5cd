import type { Context, Hono } from 'hono';
import { DomainError } from '../../lib/errors.ts';
import type { Authenticator } from '../../users/index.ts';
import type { RequestFacts } from '../request-facts.ts';
import { readBytes } from '../request-body.ts';
import { parseForm, type LegacyCharset } from './form.ts';
import { loginRefusal } from './refusal.ts';
import { legacyText } from './text.ts';
import { REMEMBERED_SECONDS, sessionCookie, sessionToken } from './session-cookie.ts';

const FORM_MAX_BYTES = 64 * 1024;

export interface LegacyLoginParts {
  authenticator: Authenticator;
  legacyCharset: LegacyCharset;
  /** True when the public URL is https. */
  secureCookies: boolean;
}

type LegacyContext = Context<{ Bindings: RequestFacts }>;

/** `POST /login.php` (and `POST /`), `GET /login.php`, `GET /logout.php`: plain words, cookies. */
export function mountLegacyLogin(
  app: Hono<{ Bindings: RequestFacts }>,
  parts: LegacyLoginParts,
): void {
  for (const path of ['/login.php', '/']) app.post(path, (c) => login(c, parts));
  // Where a client that follows the redirect of a login arrives.
  app.get('/login.php', async (c) => word((await isLoggedIn(c, parts)) ? 'yes' : 'no'));
  app.get('/logout.php', (c) => logout(c, parts));
}

async function login(c: LegacyContext, parts: LegacyLoginParts): Promise<Response> {
  // As the specification observed it: another content type logs nobody in, and says nothing.
  const type = c.req.header('content-type')?.trim() ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return word('');
  const body = await readBytes(c.req.raw, FORM_MAX_BYTES);
  const form = parseForm(Buffer.from(body).toString('latin1'), parts.legacyCharset);
  const remembered = form.has('auto');
  try {
    const { token, user } = await parts.authenticator.login({
      login: form.get('login') ?? '',
      password: form.get('pass') ?? '',
      address: c.env.address,
      ttlSeconds: remembered ? REMEMBERED_SECONDS : undefined,
    });
    // There is no changing it here; the JSON interface says how.
    if (user.mustChangePassword) return word('no');
    const maxAgeSeconds = remembered ? REMEMBERED_SECONDS : undefined;
    return word('yes', 302, {
      location: '/login.php',
      'set-cookie': sessionCookie(token, { maxAgeSeconds, secure: parts.secureCookies }),
    });
  } catch (error) {
    if (error instanceof DomainError) return loginRefusal(error);
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
  return word('yes', 200, { 'set-cookie': cookie });
}

/** One word as plain text, the same in every charset. */
function word(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return legacyText(text, 'utf-8', status, headers);
}
