import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { requestIdHeader, textAnswer } from '../openapi/answers.ts';

const TAG = 'Cookie interface';
export const legacyTag = {
  [TAG]:
    'The older interface: plain words, and a cookie instead of a token. ZASTAVA_LEGACY turns it off.',
};

/** The scheme of the cookie, for `components.securitySchemes`. */
export const legacyCookie = {
  type: 'apiKey',
  in: 'cookie',
  name: 'zastava_session',
  description: 'Set by POST /login.php. Over https its name is `__Host-zastava_session`.',
} as const;

const form = z.object({
  login: z.string().optional(),
  pass: z
    .string()
    .optional()
    .describe(
      'Of a user with a second factor: the password, and the six digits of the code after it.',
    ),
  auto: z.string().optional().describe('With any value the cookie lasts 30 days.'),
});

const location = {
  ...requestIdHeader,
  Location: { description: 'Always /login.php.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The session.', schema: { type: 'string' } },
} as const;

const line = (description: string, example: string) => textAnswer(description, { example });
const otherMethod = line('A method that the path does not take.', 'no');

function login(operationId: string): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [TAG],
    summary: 'Log in for a cookie',
    description:
      'Every refusal is the word `no`; the status distinguishes bad credentials from other causes.',
    security: [],
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: form,
          example: { login: 'admin', pass: 'the printed password', auto: '1' },
        },
      },
    },
    responses: {
      '200': line('`no`: wrong login, password or code. Empty: not a form.', 'no'),
      '302': {
        description: 'Logged in.',
        headers: location,
        content: { 'text/plain': { schema: z.string(), example: 'yes' } },
      },
      ...refusals([400, 403, 413, 429, 503]),
      '405': otherMethod,
    },
  };
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The form can not be read.',
  403: 'A page of another site sent the request.',
  413: 'The form is too large.',
  429: 'Too many attempts; Retry-After says how long to wait.',
  503: 'The server is overloaded or stopping.',
};

function refusals(statuses: number[]): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    statuses.map((status) => [String(status), line(meanings[status] ?? '', 'no')]),
  );
}

export function legacyPaths(): ZodOpenApiPathsObject {
  return {
    '/login.php': {
      post: login('login_php'),
      get: {
        operationId: 'login_php_state',
        tags: [TAG],
        summary: 'Ask whether the cookie is valid',
        description: 'Where a login redirects to.',
        security: [{ cookie: [] }, {}],
        responses: {
          '200': line('`yes` or `no`.', 'yes'),
          ...refusals([403, 503]),
          '405': otherMethod,
        },
      },
    },
    '/': { post: login('root_login') },
    '/logout.php': {
      get: {
        operationId: 'logout_php',
        tags: [TAG],
        summary: 'Log out',
        description: 'Revokes the token of the cookie, and removes the cookie.',
        security: [{ cookie: [] }, {}],
        responses: {
          '200': line('Always `yes`.', 'yes'),
          ...refusals([403, 503]),
          '405': otherMethod,
        },
      },
    },
    '/trast.php': {
      get: {
        operationId: 'trast_php',
        tags: [TAG],
        summary: 'Check the trust of a web address',
        description:
          'One line, its fields separated by `|`: trust, title, login, checks left today, colour, workability, acceptors, donors, spam, and the history if `h` asks for it. A refusal is `error|code|message`.',
        security: [{ cookie: [] }],
        requestParams: {
          query: z.object({
            url: z
              .string()
              .meta({ param: { example: 'example.com' } })
              .describe('The address.'),
            tp: z.literal('3').describe('The data set.'),
            h: z
              .enum(['0', '1', '2'])
              .describe('The history: 0 none, 1 dates with values, 2 values.'),
          }),
        },
        responses: {
          '200': line('The record.', '7.5|Example Domain|alice|99|green|200|12|34|0'),
          '400': line('A parameter is missing or wrong.', 'error|tp|tp must be 3'),
          '401': line('No good cookie.', 'error|auth|log in at /login.php, and send its cookie'),
          '405': line('A method that the path does not take.', 'error|method|send GET'),
          '429': line('No checks are left today.', 'error|limit|no trust checks are left today'),
          '503': line('Overloaded or stopping.', 'error|busy|the server is stopping'),
        },
      },
    },
  };
}
