import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import type { ErrorCode } from '../../lib/errors.ts';
import { compatiblePaths, compatibleTags } from '../compatible/openapi.ts';
import { errorEnvelope, jsonContent, responsesOf } from '../error-schemas.ts';
import { alwaysPossible, credentialErrors } from '../possible-errors.ts';
import { acceptLanguageHeader } from '../languages.ts';
import { groups, type Operation, rightFor } from '../operation.ts';
import { responseHeaders } from '../response-headers.ts';
import { scopesWith } from '../../users/index.ts';
import { securityFor } from './security.ts';
import { legacyCookie, legacyPaths, legacyTag } from '../legacy/openapi.ts';
import { idempotencyKeyHeader } from '../schemas.ts';
import { addAnswerExamples } from './examples.ts';
import { plainPaths, plainTag } from './plain.ts';
import { addOtherSpellings } from './spellings.ts';
import { tidied } from './tidy.ts';

const endsSession = new Set(['/auth/session/end/', '/auth/refresh/', '/auth/logout/']);

const tagDescriptions: Readonly<Record<string, string>> = {
  [groups.auth]: 'Sessions: a login and a password for a token.',
  [groups.ai]: 'Rooms, models, sends and histories.',
  [groups.trust]: 'The trust check of web addresses.',
  [groups.account]: 'What users see and change of their own account.',
  [groups.admin]:
    'For operators: users, money and reports. For admins: the catalogue and the link graph, too.',
  ...compatibleTags,
  ...legacyTag,
  ...plainTag,
};

/** The OpenAPI 3.1 document, made from the schemas that validate requests. */
export function openApiDocument(
  operations: readonly Operation[],
  { hasLegacy, hasPage }: { hasLegacy: boolean; hasPage: boolean },
) {
  const paths = operations.map((operation): [string, ZodOpenApiPathItemObject] => [
    operation.path,
    { post: describe(operation) },
  ]);
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Zastava AI Model Gateway API',
      version: '2.0.0',
      description:
        'Log in or use an API key, open a room, list the models, send, read the history.\n\nNative operations take a JSON object by POST, and ignore fields that they do not know. They answer `{"status":"ok","data":{…}}`, or an error with a `code` for programs, a `message` for people, and the `request_id` that names the request in the log. Amounts are rubles with at most six decimals; times are Unix seconds.\n\nGive each send an `Idempotency-Key`: then it can be repeated after a broken connection, and is charged once.\n\nA path with a trailing slash works without it too, and a path under `/v1` with it; `x-same-as` names the path that describes it.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this gateway' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tagDescriptions)
      .filter(([name]) => hasLegacy || !(name in legacyTag))
      .map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(paths.filter(([path]) => !endsSession.has(path))),
      ...compatiblePaths(),
      // All other examples work in their order; these would end the token.
      ...Object.fromEntries(paths.filter(([path]) => endsSession.has(path))),
      ...(hasLegacy && legacyPaths()),
      ...plainPaths({ hasPage }),
    },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of /auth/login/, or an API key (zk_…). Each operation lists the scopes of API keys that open it as x-scopes; a token has all rights of its user.',
        },
        ...(hasLegacy && { cookie: legacyCookie }),
      },
      headers: responseHeaders,
    },
  };
  const made = createDocument(document, {
    override: ({ jsonSchema }) => leaveOutSafeBounds(jsonSchema),
  });
  return addOtherSpellings(addAnswerExamples(tidied(made)));
}

/** Every integer has these bounds, and the reference page would show them as examples. */
function leaveOutSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { path, summary, body, example } = operation;
  const right = rightFor(operation);
  const { idempotent, setsCookie, translated } = operation;
  const sends = operation.errors?.includes('provider_error');
  const answering = { sends, idempotent, setsCookie, translated };
  return {
    operationId: path.slice(1, -1).replaceAll('/', '_'),
    tags: [groupOf(path)],
    summary,
    description: `${operation.description ?? `${summary}.`}${whoMay(operation)}`,
    ...(right === undefined ? { security: [] } : securityFor(right)),
    ...(idempotent && { requestParams: { header: z.object(idempotencyKeyHeader) } }),
    ...(translated && { requestParams: { header: z.object(acceptLanguageHeader) } }),
    requestBody: {
      // An empty request means `{}`.
      required: !body.safeParse({}).success,
      content: jsonContent(body, example),
    },
    responses: responsesOf(
      successContent(operation),
      errorsOf(operation),
      errorEnvelope,
      answering,
    ),
  };
}

/** A sentence that says who may call it, and with which API keys. */
function whoMay(operation: Operation): string {
  const right = rightFor(operation);
  if (right === undefined) return '';
  const { access } = operation;
  const whom =
    access === 'admin'
      ? 'For admins'
      : access === 'operator'
        ? 'For operators and admins'
        : 'For users';
  return `\n\n${whom}; API keys of the scopes ${scopesWith(right).join(', ')}.`;
}

function groupOf(path: Operation['path']): string {
  const [, group] = path.split('/') as [string, keyof typeof groups];
  return groups[group];
}

function successContent({ result, streams }: Operation) {
  return {
    ...jsonContent(z.looseObject({ status: z.literal('ok'), data: result })),
    ...(streams && {
      'text/event-stream': {
        schema: z.string(),
        example:
          'event: start\ndata: {"room_id":"…","id":1}\n\nevent: delta\ndata: {"text":"Hel"}\n\nevent: done\ndata: {…}\n\n',
      },
    }),
  };
}

function errorsOf({ access, errors = [], callsPerMinute }: Operation): ErrorCode[] {
  return [
    ...alwaysPossible,
    ...errors,
    ...(callsPerMinute === undefined ? [] : (['rate_limited'] as const)),
    ...(access === 'public' ? [] : credentialErrors),
  ];
}
