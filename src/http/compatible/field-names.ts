import { DomainError } from '../../lib/errors.ts';

/** What a dialect calls the fields that the modules below name in their own words. */
export type FieldNames = Readonly<Record<string, string>>;

/** The same error, naming fields as the caller wrote them. */
export function inCallersWords(error: DomainError, names: FieldNames): DomainError {
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
    ...{ details, facts, quotas, providerCalled, cause },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
