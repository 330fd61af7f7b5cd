import { DomainError, type ErrorCode } from '../../lib/errors.ts';

/** A dialect's names for fields, by their names in the modules below. */
export type FieldNames = Readonly<Record<string, string>>;

/** Codes whose details name fields of the request. */
const aboutFields: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'input_too_long',
  'model_not_found',
]);

/** The first field of the request that an error is about. */
export function fieldOf({ code, details }: DomainError): string | null {
  return aboutFields.has(code) ? (details[0]?.path ?? null) : null;
}

/** The same error with the caller's names for fields. */
export function withFieldNames(error: DomainError, names: FieldNames): DomainError {
  if (!error.details.some(({ path }) => Object.hasOwn(names, path))) return error;
  let { message } = error;
  const details = error.details.map((detail) => {
    const path = names[detail.path] ?? detail.path;
    if (message.startsWith(`${detail.path}: `)) {
      message = path + message.slice(detail.path.length);
    }
    return { ...detail, path };
  });
  const { code, facts, quotas, providerCalled, retryAfterSeconds, cause } = error;
  return new DomainError(code, message, {
    details,
    facts,
    quotas,
    providerCalled,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
