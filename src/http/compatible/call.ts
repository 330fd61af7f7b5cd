import { roomIdPattern } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Authenticator, Caller } from '../../users/index.ts';
import { readJsonObject } from '../request-body.ts';
import { credentialOf, type RequestFacts } from '../request-facts.ts';

/** A body can contain a whole conversation with images. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

/** A request of a compatible interface. */
export interface CompatibleCall {
  caller: Caller;
  body: Record<string, unknown>;
  bytes: Uint8Array;
  request: Request;
  requestId: string;
}

/** Checks the credential, reads the body, and checks the credential again: it may have ended during the upload. */
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

/** Only Anthropic's clients send the version of the interface with each request. */
export function isAnthropicClient(request: Request): boolean {
  return request.headers.has('anthropic-version');
}

/** Anthropic's clients send the key in `x-api-key`. */
export function authenticate(authenticator: Authenticator, request: Request): Promise<Caller> {
  const key = request.headers.get('x-api-key') ?? undefined;
  return authenticator.authenticate(credentialOf(request) ?? key, 'chat');
}

/** The room that records the call: the room in its headers, or the caller's standing API room. */
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
