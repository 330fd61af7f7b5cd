/** A request derived from a number: a valid one for some route, with one fault in it or none. */
import { pick, randomFrom } from '../support/random.ts';
import { isAdministrative, type Route } from '../support/routes.ts';
import { damaged, hostileText, mutated } from './values.ts';

type Random = () => number;

export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

/** The credentials of requests, in turn. */
export interface Credentials {
  user: string;
  admin: string;
  /** A token, for the cookie. */
  cookie: string;
}

const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'application/octet-stream',
  'APPLICATION/JSON;',
  'application/jsonp',
];
const headerNames = [
  'idempotency-key',
  'x-room-id',
  'x-request-id',
  'x-forwarded-for',
  'forwarded',
  'traceparent',
  'accept',
  'accept-encoding',
  'range',
  'if-range',
  'if-none-match',
  'origin',
  'cookie',
  'referer',
  'content-encoding',
  'expect',
  'anthropic-version',
  'x-api-key',
  'openai-organization',
  'x-http-method-override',
];
/** The characters that HTTP does not allow in a header. */
const unsafeInHeader = /[^\t\x20-\x7e\x80-\xff]/g;

/** Heavy answers are requested less often, so that a million requests end within the day. */
const rare: Readonly<Record<string, number>> = {
  '/openapi.json': 0.05,
  '/docs': 0.2,
  '/metrics': 0.1,
  '/account/export/': 0.1,
  '/admin/users/export/': 0.1,
  '/admin/ledger/verify/': 0.02,
  '/v1/images/generations': 0.1,
  '/admin/catalogue/apply/': 0.2,
  '/admin/catalogue/import/': 0.2,
  // Each of these starts a process.
  '/admin/trust/import/': 0.1,
  '/admin/trust/crawl/': 0.1,
  '/admin/trust/rank/': 0.1,
};

export function fuzzedRequest(
  seed: number,
  index: number,
  routes: readonly Route[],
  credentials: Credentials,
): FuzzedRequest {
  const random = randomFrom(seed * 7_919 + index);
  for (let tries = 0; tries < 3; tries++) random();
  const route = pickRoute(routes, random);
  const headers: Record<string, string> = {};
  const credential = credentialFor(route, credentials, random);
  if (credential !== undefined) headers['authorization'] = credential;
  if (route.access === 'cookie') headers['cookie'] = credentials.cookie;
  if (random() < 0.2) headers[pick(headerNames, random)] = clean(hostileText(random));
  const method = random() < 0.04 ? pick(methods, random) : route.method;
  const takesBody = !['GET', 'HEAD'].includes(method);
  const body = takesBody ? bodyOf(route, headers, random) : undefined;
  return { method, path: pathOf(route, random), headers, body };
}

function pickRoute(routes: readonly Route[], random: Random): Route {
  for (;;) {
    const route = pick(routes, random);
    // Deleted things would be missing for the other requests.
    const share = route.method === 'DELETE' ? 0.01 : (rare[route.path] ?? 1);
    if (random() < share) return route;
  }
}

function credentialFor(
  route: Route,
  { user, admin }: Credentials,
  random: Random,
): string | undefined {
  const die = random();
  if (die < 0.05) return undefined;
  if (die < 0.1) return clean(`Bearer ${hostileText(random)}`);
  if (die < 0.13) return clean(hostileText(random));
  return `Bearer ${isAdministrative(route) && die < 0.8 ? admin : user}`;
}

function bodyOf(
  { body, form, multipart }: Route,
  headers: Record<string, string>,
  random: Random,
): Uint8Array {
  if (multipart) return multipartOf(hurtFields(multipart, random), headers, random);
  const isForm = form !== undefined;
  const right = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const type = random() < 0.9 ? right : pick(contentTypes, random);
  if (type !== '') headers['content-type'] = type;
  if (isForm) {
    const text = new URLSearchParams(hurtFields(form, random)).toString();
    return random() < 0.2 ? damaged(Buffer.from(text), random) : Buffer.from(text);
  }
  let value: unknown = body ?? {};
  // Optional fields are omitted, since some of them exclude each other.
  if (random() < 0.5) value = someOf(value as object, random);
  while (random() < 0.6) value = mutated(value, random);
  const bytes = Buffer.from(JSON.stringify(value));
  return random() < 0.08 ? damaged(bytes, random) : bytes;
}

/** Each byte of a text is a byte of the body, so that files can be written as texts. */
function multipartOf(
  fields: Record<string, string>,
  headers: Record<string, string>,
  random: Random,
): Uint8Array {
  const boundary = random() < 0.95 ? 'b0undary' : clean(hostileText(random)).slice(0, 80);
  const isRight = random() < 0.95;
  headers['content-type'] = isRight
    ? `multipart/form-data; boundary=${boundary}`
    : pick(contentTypes, random);
  const parts = Object.entries(fields).map(([name, value]) => {
    const isFile = /^(?:file|image)/.test(name) && random() < 0.95;
    const named = random() < 0.97 ? name : hostileText(random);
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${named}"`;
    return `${head}${isFile ? '; filename="a.wav"' : ''}\r\n\r\n${value}\r\n`;
  });
  const bytes = Buffer.from(`${parts.join('')}--${boundary}--\r\n`, 'latin1');
  return random() < 0.15 ? damaged(bytes, random) : bytes;
}

function someOf(value: object, random: Random): object {
  return Object.fromEntries(Object.entries(value).filter(() => random() < 0.7));
}

function hurtFields(
  form: Readonly<Record<string, string>>,
  random: Random,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form)
      .filter(() => random() < 0.95)
      .map(([name, value]) => [name, random() < 0.4 ? hostileText(random) : value]),
  );
}

function pathOf({ path, method, form }: Route, random: Random): string {
  const query =
    method === 'GET' && form !== undefined
      ? `?${new URLSearchParams(hurtFields(form, random)).toString()}`
      : '';
  const die = random();
  if (die < 0.88) return path + query;
  if (die < 0.91) return path.replace(/\/$/, '') + query;
  if (die < 0.93) return `${path}?${encodeURIComponent(hostileText(random).toWellFormed())}=%ff%00`;
  if (die < 0.95) return path + encodeURIComponent(hostileText(random).toWellFormed());
  if (die < 0.96) return `/${path}//`;
  if (die < 0.97) return path.toUpperCase();
  if (die < 0.98) return `${path}/../..${path}`;
  return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

function clean(text: string): string {
  return text.replace(unsafeInHeader, '?').trim().slice(0, 2_000);
}
