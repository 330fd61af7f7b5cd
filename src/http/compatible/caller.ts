import { roomIdPattern } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Authenticator, Caller } from '../../users/index.ts';
import { credentialOf, type RequestFacts } from '../request-facts.ts';
import { readJsonObject } from '../request-body.ts';

/** Bodies here carry whole conversations and images. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

/** A request of a compatible interface: who calls, and with what. */
export interface CompatibleCall {
  caller: Caller;
  body: Record<string, unknown>;
  bytes: Uint8Array;
  request: Request;
  requestId: string;
}

/** Reads credential and body, and the credential again: what ended it while the body came counts. */
export async function readCompatibleCall(
  authenticator: Authenticator,
  request: Request,
  facts: RequestFacts,
): Promise<CompatibleCall> {
  const caller = await authenticate(authenticator, request);
  const { value: body, bytes } = await readJsonObject(request, BODY_MAX_BYTES);
  if (!authenticator.isStillGood(caller)) await authenticate(authenticator, request);
  facts.disableIdleTimeout();
  return { caller, body, bytes, request, requestId: facts.requestId };
}

/** Anthropic's clients name the version of its interface with each request; no others do. */
export function isAnthropicClient(request: Request): boolean {
  return request.headers.has('anthropic-version');
}

/** Anthropic's clients send the key as `x-api-key`. */
export function authenticate(authenticator: Authenticator, request: Request): Promise<Caller> {
  const key = request.headers.get('x-api-key') ?? undefined;
  return authenticator.authenticate(credentialOf(request) ?? key, 'chat');
}

/** The room that the call is recorded in: the one that it names, or the caller's standing API room. */
export async function roomOf(
  rooms: { apiRoom(userId: number): Promise<string> },
  { caller, request }: CompatibleCall,
): Promise<string> {
  const named = request.headers.get('x-room-id');
  if (named === null) return rooms.apiRoom(caller.userId);
  if (roomIdPattern.test(named)) return named;
  throw new DomainError('invalid_request', 'X-Room-Id must be a room_id obtained from /ai/room/', {
    details: [{ path: 'X-Room-Id', message: 'must be 32 characters of 0-9, A-Z, a-z, _ and -' }],
  });
}
