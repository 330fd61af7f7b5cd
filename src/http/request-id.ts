import { uuidHex } from '../lib/ids.ts';

const requestIdPattern = /^[0-9A-Za-z._-]{1,128}$/;

/** The id that the client sent if it is safe in headers and logs, or else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && requestIdPattern.test(given) ? given : uuidHex();
}

/** Adds the headers that every answer has. */
export function markAnswer(response: Response, requestId: string): Response {
  response.headers.set('x-request-id', requestId);
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}
