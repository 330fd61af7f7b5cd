import { roomIdPattern } from '../../chat/index.ts';
import type { Authenticator, Caller } from '../../users/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { PassedTexts } from '../../lib/passed-texts.ts';
import { credentialOf, noteCaller, type RequestFacts } from '../request-facts.ts';
import type { z } from 'zod';
import { parseBody } from '../body/check.ts';
import { typedFields, type FormRule } from '../body/form.ts';
import type { BodyReader } from '../body/read.ts';

/** A body can contain a whole conversation with images. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

export interface CompatibleCall {
  caller: Caller;
  body: Record<string, unknown>;
  /** True if the thread for large bodies has already checked `body` against the endpoint's schema. */
  isChecked: boolean;
  /** True for a form: then all values are texts and files. */
  isForm: boolean;
  /** Images that are stand-ins in the body. */
  passed: PassedTexts | undefined;
  /** SHA-256 of the body as it was sent, for idempotency. */
  digest: () => string;
  request: Request;
  facts: RequestFacts;
}

/** Checks the credential, reads the body, and checks the credential again: it may have expired during the upload. */
export async function readCompatibleCall(
  { authenticator, bodies }: { authenticator: Authenticator; bodies: BodyReader },
  request: Request,
  facts: RequestFacts,
  endpoint: { path: string; form?: FormRule; sends?: boolean },
): Promise<CompatibleCall> {
  const spans = endpoint.sends ? facts.spans : undefined;
  spans?.enter('authenticate');
  const caller = await authenticate(authenticator, request);
  spans?.leave();
  noteCaller(facts, caller);
  const options = { maxBytes: BODY_MAX_BYTES, userId: caller.userId, endpoint };
  const read = await bodies.read(request, facts, options);
  const { value: body, isChecked, isForm = false, passed, digest } = read;
  if (!authenticator.isStillValid(caller)) await authenticate(authenticator, request);
  facts.disableIdleTimeout();
  return { caller, body, isChecked, isForm, passed, digest, request, facts };
}

/** The body, checked against the endpoint's schema. @throws `invalid_request` */
export function checkedBody<Schema extends z.ZodObject>(
  {
    body: schema,
    refuse,
  }: { body: Schema; refuse?: ((given: Record<string, unknown>) => void) | undefined },
  { body, isChecked, isForm }: Pick<CompatibleCall, 'body' | 'isChecked' | 'isForm'>,
): z.output<Schema> {
  if (isChecked) return body as z.output<Schema>;
  const given = isForm ? typedFields(schema, body) : body;
  refuse?.(given);
  return parseBody(schema, given) as z.output<Schema>;
}

/** Only Anthropic's clients send the version of the interface in each request. */
export function isAnthropicClient(request: Request): boolean {
  return request.headers.has('anthropic-version');
}

/** Anthropic's clients send the key in `x-api-key`. */
export function authenticate(authenticator: Authenticator, request: Request): Promise<Caller> {
  const key = request.headers.get('x-api-key') ?? undefined;
  return authenticator.authenticate(credentialOf(request) ?? key, 'chat');
}

/** The room that records the call: the room in its headers, or the caller's permanent API room. */
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
