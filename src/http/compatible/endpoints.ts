import { DomainError } from '../../lib/errors.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { readCompatibleCall, type CompatibleCall } from './caller.ts';
import { inCallersWords, type FieldNames } from './field-names.ts';
import { noModelNamed } from './model-names.ts';
import type { CompatibleParts } from './parts.ts';

/** A POST of a dialect. */
export interface Endpoint {
  /** What it is for, in a few words. */
  summary: string;
  /** Fields that a body must have. */
  required: readonly string[];
  /** A small body that a fresh server answers, where it can. */
  example: Record<string, unknown>;
  /** True where something is sent, so that a room and an idempotency key can be named in headers. */
  sends: boolean;
  /** True where `stream: true` in the body makes an event stream of the answer. */
  streams?: boolean;
  answer: (parts: CompatibleParts, call: CompatibleCall) => Promise<Response>;
  /** How this endpoint calls the fields of a send, where a caller wrote one of several names too. */
  fields?: (body: Record<string, unknown>) => FieldNames;
}

/** Mounts endpoints by their paths, with or without a trailing slash. They take POST only. */
export function mountEndpoints(
  app: HttpApp,
  parts: CompatibleParts,
  endpoints: Readonly<Record<string, Endpoint>>,
): void {
  for (const [path, endpoint] of Object.entries(endpoints)) {
    for (const spelling of [path, `${path}/`]) {
      app.post(spelling, (c) => answerTo(c, parts, endpoint));
      app.all(spelling, () => {
        throw takesOnly('POST', path);
      });
    }
  }
}

async function answerTo(
  c: HttpContext,
  parts: CompatibleParts,
  { answer, fields }: Endpoint,
): Promise<Response> {
  const call = await readCompatibleCall(parts.authenticator, c.req.raw, c.env);
  try {
    return await answer(parts, call);
  } catch (error) {
    if (!fields || !(error instanceof DomainError)) throw error;
    throw inCallersWords(askedByName(error, call.body), fields(call.body));
  }
}

/** Sends know models by number. Replaces the number in an error by the name that the caller used. */
function askedByName(error: DomainError, { model }: Record<string, unknown>): DomainError {
  const byNumber = error.code === 'model_not_found' && error.details.length === 0;
  return byNumber ? noModelNamed(String(model), error.quotas) : error;
}

/** The error for another method than a path takes. */
export function takesOnly(method: 'GET' | 'POST', path: string): DomainError {
  return new DomainError('method_not_allowed', `${path} takes ${method} only`);
}
