import type { Log } from '../lib/log.ts';
import { compatibleFailure, isCompatible } from './compatible/mount.ts';
import { failure, toDomainError } from './errors.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { legacyRefusal } from './legacy/refusal.ts';
import type { HttpContext } from './request-facts.ts';

export interface ErrorAnswerParts {
  /** Absent while the server is starting: there is none yet, and nothing that can go wrong. */
  log?: Log;
  legacyCharset: LegacyCharset;
}

/**
 * The answer to anything thrown, in the shape of the interface that the path belongs to: a line of the legacy
 * interface, an error of OpenAI's or Anthropic's dialect, else the JSON envelope. Logs unexpected errors in full.
 */
export function errorAnswer(
  error: unknown,
  c: HttpContext,
  { log, legacyCharset }: ErrorAnswerParts,
): Response {
  const { path, raw } = c.req;
  const { requestId } = c.env;
  const legacy = legacyRefusal(raw.method, path, error, legacyCharset);
  if (legacy) return legacy;
  const known = toDomainError(error);
  if (known.code === 'internal_error') log?.error({ requestId, err: error }, 'request failed');
  return isCompatible(path)
    ? compatibleFailure(path, raw, known, requestId)
    : failure(known, requestId);
}
