import type { DomainError } from '../lib/errors.ts';
import { compatibleFailure } from './compatible/mount.ts';
import { failure } from './errors.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { legacyRefusal } from './legacy/refusal.ts';

/** Scheme, authority, then the path. */
const pathPattern = /^[a-z]+:\/\/[^/]+([^?#]*)/i;

/**
 * The answer to a request that is refused before any route sees it, in the shape that its caller understands: a line of
 * the legacy interface, an error of OpenAI's or Anthropic's dialect under `/v1`, the JSON envelope elsewhere.
 */
export function refusalView(
  error: DomainError,
  request: Request,
  { requestId, legacyCharset }: { requestId: string; legacyCharset: LegacyCharset },
): Response {
  const path = pathPattern.exec(request.url)?.[1] ?? '';
  const legacy = legacyRefusal(path, request.method, error, legacyCharset);
  if (legacy) return legacy;
  return path.startsWith('/v1/')
    ? compatibleFailure(request, error, requestId)
    : failure(error, requestId);
}
