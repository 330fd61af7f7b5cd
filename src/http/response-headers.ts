import type { oas31 } from 'zod-openapi';
import { languages } from '../trust/index.ts';

/** The headers of answers, for OpenAPI, and which answers have them. */

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

const header = (description: string, schema: oas31.SchemaObject = text) => {
  return { description, schema };
};
/** A header that every answer of its status has. */
const required = (description: string, schema: oas31.SchemaObject = text) => {
  return { description, required: true, schema };
};

const limitOf = header('The limit per minute.', count);
const remainingOf = header('What is left of it.', count);
const openAiReset = header('Until the window ends: seconds, as `12s`.', {
  ...text,
  pattern: String.raw`^\d+s$`,
});
const anthropicReset = header('When the window ends (RFC 3339).', { ...text, format: 'date-time' });

const draft = 'draft-ietf-httpapi-ratelimit-headers-11; only for users with limits';

/** `components.headers` of the document. */
export const responseHeaders = {
  'X-Request-Id': required(
    'The id of the request in the log: your own X-Request-Id if it is 1 to 128 characters of 0-9, A-Z, a-z, ".", "_" and "-", else a new one.',
  ),
  'Request-Id': header('The same id, where Anthropic’s clients look for it.'),
  'X-Room-Id': required('The room that records the call.'),
  'Idempotent-Replayed': header(
    'The answer is the stored answer of the first call with this Idempotency-Key. Absent from a new answer.',
    { const: 'true' },
  ),
  'Set-Cookie': header('The session of the web page.'),
  'Clear-Site-Data': header('The browser forgets what it stored for the page.'),
  'Content-Language': required('The language of the sentences.', { enum: [...languages] }),
  Vary: required('What the answer depends on: `Accept-Language`.'),
  'WWW-Authenticate': required('The scheme.', { const: 'Bearer' }),
  Allow: required('The method that the path takes.'),
  'Retry-After': header('Seconds to wait before the next attempt.', {
    type: 'integer',
    minimum: 1,
  }),
  'X-Should-Retry': header(
    'SDKs must not retry on their own: a provider was called, the balance is too low, or the wait is longer than a minute.',
    { const: 'false' },
  ),
  'RateLimit-Policy': header(`Your limits: \`"requests";q=60;w=60\` (${draft}).`),
  RateLimit: header(`What is left of them: \`"requests";r=59;t=60\` (${draft}).`),
  'X-RateLimit-Limit-Requests': limitOf,
  'X-RateLimit-Remaining-Requests': remainingOf,
  'X-RateLimit-Reset-Requests': openAiReset,
  'X-RateLimit-Limit-Tokens': limitOf,
  'X-RateLimit-Remaining-Tokens': remainingOf,
  'X-RateLimit-Reset-Tokens': openAiReset,
  'Anthropic-RateLimit-Requests-Limit': limitOf,
  'Anthropic-RateLimit-Requests-Remaining': remainingOf,
  'Anthropic-RateLimit-Requests-Reset': anthropicReset,
  'Anthropic-RateLimit-Tokens-Limit': limitOf,
  'Anthropic-RateLimit-Tokens-Remaining': remainingOf,
  'Anthropic-RateLimit-Tokens-Reset': anthropicReset,
} satisfies Record<string, oas31.HeaderObject>;

type HeaderName = keyof typeof responseHeaders;

/** The facts that decide which headers the answers of an operation have. */
export interface Answering {
  dialect?: 'OpenAI' | 'Anthropic';
  /** True if it sends to a model: limits count it, and a provider may have been called. */
  sends?: boolean | undefined;
  idempotent?: boolean | undefined;
  /** True if it begins or ends a session of the web page. */
  setsCookie?: boolean | undefined;
  /** True if its texts are in the language of `Accept-Language`. */
  translated?: boolean | undefined;
}

/** The headers that an answer with this status can have, except those that describe its content. */
export function headersAt(
  status: number,
  answering: Answering,
): Record<string, oas31.ReferenceObject> {
  const names = [...namesAt(status, answering)];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function* namesAt(
  status: number,
  { dialect, sends = false, idempotent = false, setsCookie = false, translated = false }: Answering,
): Generator<HeaderName> {
  yield 'X-Request-Id';
  if (dialect === 'Anthropic') yield 'Request-Id';
  if (status === 200) {
    if (dialect && sends) yield 'X-Room-Id';
    if (idempotent) yield 'Idempotent-Replayed';
    if (translated) yield* ['Content-Language', 'Vary'] as const;
    if (setsCookie) yield* ['Set-Cookie', 'Clear-Site-Data'] as const;
  }
  yield* byStatus[status] ?? [];
  if (!sends) return;
  if (status >= 500) yield 'X-Should-Retry';
  const wrongRequest = dialect ? 400 : 422;
  // On the answer to every send that began, whatever its end.
  if ([200, wrongRequest, 429].includes(status) || status >= 500) yield* limitNames(dialect);
}

const byStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  402: ['X-Should-Retry'],
  405: ['Allow'],
  429: ['Retry-After', 'X-Should-Retry'],
  503: ['Retry-After'],
};

function limitNames(dialect: Answering['dialect']): HeaderName[] {
  const family = dialect && (dialect === 'OpenAI' ? 'X-RateLimit-' : 'Anthropic-RateLimit-');
  const known = Object.keys(responseHeaders) as HeaderName[];
  const own = known.filter((name) => family !== undefined && name.startsWith(family));
  return ['RateLimit', 'RateLimit-Policy', ...own];
}
