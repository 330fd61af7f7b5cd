import { securityFor } from './security.ts';
import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { errorEnvelope, jsonContent, responsesOf } from '../error-schemas.ts';
import { credentialErrors, serverErrors } from '../possible-errors.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { requestIdHeader, textAnswer } from './answers.ts';

const TAG = 'Server';
export const plainTag = { [TAG]: 'Images, the state of the server, and this reference.' };

/** The paths of plain GET requests, which are not operations. */
export function plainPaths({ hasPage }: { hasPage: boolean }): ZodOpenApiPathsObject {
  return {
    '/images/{id}': { get: image() },
    '/healthz': {
      get: open('healthz', 'Ask whether the process is alive', {
        description: 'Needs nothing, not even the database.',
        responses: {
          ...errors([...readErrors]),
          '200': json('The process is alive.', { status: 'ok' }),
        },
      }),
    },
    '/readyz': {
      get: open('readyz', 'Ask whether requests are served', {
        description: 'True while the server is not stopping and its database accepts writes.',
        responses: {
          ...errors([...readErrors]),
          '200': json('Requests are served.', { status: 'ready' }),
          '503': {
            ...json('Requests are refused for now, and why.', {
              status: 'not ready',
              reason: 'stopping',
              message: 'the server is stopping',
            }),
            headers: {
              ...requestIdHeader,
              'Retry-After': { $ref: '#/components/headers/Retry-After' },
            },
          },
        },
      }),
    },
    '/metrics': {
      get: {
        ...open('metrics', 'Read the metrics', {
          description: 'For Prometheus. Open to this machine; elsewhere for admins.',
          responses: {
            ...errors([...readErrors, ...credentialErrors]),
            '200': textAnswer('The metrics.', { example: 'zastava_holds_open 0\n' }),
          },
        }),
        ...securityFor('admin'),
        security: [{}, { bearer: [] }],
      },
    },
    '/openapi.json': {
      get: open('openapi', 'Read this document', {
        description: 'It describes the server that it comes from.',
        responses: {
          ...errors([...readErrors]),
          '200': json('The document.', { openapi: '3.1.0' }),
        },
      }),
    },
    ...(hasPage && pagePaths()),
    ...referencePaths(),
  };
}

function pagePaths(): ZodOpenApiPathsObject {
  return {
    '/app/': {
      get: open('page', 'Open the web page', {
        description:
          'For people. Browsers that open `/` are sent there. Every path below it that is not a file is the same page.',
        responses: {
          ...errors([...readErrors]),
          '200': textAnswer('The page.', { type: 'text/html', example: '<!doctype html>…' }),
        },
      }),
    },
    '/app/assets/{file}': {
      get: {
        ...open('page_file', 'Read a file of the web page', {
          description: 'Its scripts and its styles, whose names change with their content.',
          responses: {
            ...errors(['not_found', ...readErrors]),
            '200': assetAnswer('export {}'),
          },
        }),
        requestParams: { path: z.object({ file: z.string() }) },
      },
    },
  };
}

function referencePaths(): ZodOpenApiPathsObject {
  return {
    '/docs': {
      get: open('docs', 'Open the reference page', {
        description:
          'For people. `/docs/` is sent there, and `/` of a browser if there is no web page.',
        responses: {
          ...errors([...readErrors]),
          '200': textAnswer('The page.', { type: 'text/html', example: '<!doctype html>…' }),
        },
      }),
    },
    '/docs/{file}': {
      get: {
        ...open('docs_file', 'Read a file of the reference page', {
          description: 'Its script and its styles.',
          responses: {
            ...errors(['not_found', ...readErrors]),
            '200': assetAnswer('window.ui = …'),
          },
        }),
        requestParams: {
          path: z.object({
            file: z.enum(['start.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css']),
          }),
        },
      },
    },
  };
}

/** @param script an example of a script */
function assetAnswer(script: string): ZodOpenApiResponseObject {
  const styles = { schema: z.string(), example: 'body {}' };
  const answer = textAnswer('The file.', { type: 'text/javascript', example: script });
  return { ...answer, content: { ...answer.content, 'text/css': styles } };
}

const readErrors: readonly ErrorCode[] = ['method_not_allowed', ...serverErrors];

function errors(codes: readonly ErrorCode[]) {
  return responsesOf({}, codes, errorEnvelope, {});
}

function json(description: string, example: Record<string, string>): ZodOpenApiResponseObject {
  return {
    description,
    headers: requestIdHeader,
    content: jsonContent(z.looseObject({}), example),
  };
}

function open(
  operationId: string,
  summary: string,
  about: Pick<ZodOpenApiOperationObject, 'description' | 'responses'>,
): ZodOpenApiOperationObject {
  return { operationId, tags: [TAG], summary, security: [], ...about };
}

const png = { 'image/png': { schema: { type: 'string', contentMediaType: 'image/png' } } } as const;

const header = (description: string) => ({ description, schema: { type: 'string' } }) as const;

function image(): ZodOpenApiOperationObject {
  const described = {
    ...requestIdHeader,
    ETag: header('Names the bytes, which never change.'),
    'Accept-Ranges': header('`bytes`.'),
  };
  const ranged = { ...described, 'Content-Range': header('The bytes of the answer.') };
  return {
    ...open('image', 'Read a generated image', {
      description:
        'Anybody who knows the id may read it. Answers `If-None-Match`, and one `Range` of bytes; other image types are possible.',
      responses: {
        ...errors(['not_found', ...readErrors]),
        '200': { description: 'The image.', headers: described, content: png },
        '206': { description: 'The requested range.', headers: ranged, content: png },
        '304': { description: 'The image is still the same.', headers: described },
        '416': { description: 'The range begins after the end of the file.', headers: ranged },
      },
    }),
    requestParams: {
      path: z.object({ id: z.string().meta({ param: { example: '0123456789abcdef' } }) }),
    },
  };
}
