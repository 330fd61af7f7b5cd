import { DomainError } from '../lib/errors.ts';
import { endpointMeantBy, isCompatible, noEndpointAt } from './compatible/paths.ts';

/** The error for a path without a route. */
export function nothingAt(path: string): DomainError {
  if (isCompatible(path)) return noEndpointAt(path);
  const meant = endpointMeantBy(path);
  const hint = meant === undefined ? '/docs lists the operations' : `did you mean ${meant}?`;
  return new DomainError('not_found', `there is nothing at this path: ${hint}`);
}
