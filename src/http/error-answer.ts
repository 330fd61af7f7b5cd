import type { Log } from '../lib/log.ts';
import { compatibleFailure, isCompatible } from './compatible/mount.ts';
import { failure, toDomainError } from './errors.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { legacyRefusal } from './legacy/refusal.ts';
import type { RequestFacts } from './request-facts.ts';

export interface ErrorAnswerParts {
  /** Absent while the server is starting: it has no log yet. */
  log?: Log;
  legacyCharset: LegacyCharset;
}

/** Scheme, authority, then the path. */
const pathPattern = /^[a-z]+:\/\/[^/]+([^?#]*)/i;

/**
 * The answer to anything thrown, in the shape of the interface that the path belongs to: a line of the legacy
 * interface, an error of OpenAI's or Anthropic's dialect, else the JSON envelope. Logs unexpected errors in full.
 */
export function errorAnswer(
  error: unknown,
  request: Request,
  { requestId }: RequestFacts,
  { log, legacyCharset }: ErrorAnswerParts,
): Response {
  const path = pathPattern.exec(request.url)?.[1] ?? '';
  const legacy = legacyRefusal(request.method, path, error, legacyCharset);
  if (legacy) return legacy;
  const known = toDomainError(error);
  if (known.code === 'internal_error') log?.error({ requestId, err: error }, 'request failed');
  return isCompatible(path)
    ? compatibleFailure(path, request, known, requestId)
    : failure(known, requestId);
}
