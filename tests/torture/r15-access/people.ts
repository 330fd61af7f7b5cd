/** A user with data to lose, and all kinds of strangers. */
import { SignJWT } from 'jose';
import { GATEWAY_SECRET, type Gateway, type TestUser } from '../../support/gateway.ts';
import { legacyCookie } from '../../support/legacy-cookie.ts';
import type { MovableClock } from '../../support/clock.ts';

const DAY_MS = 86_400_000;
/** Is in everything that Alice has; in an answer to anyone else it is a leak. */
export const CANARY = 'canary5d3e';

export interface Owner extends TestUser {
  roomId: string;
  imageId: string;
  keyId: string;
  responseId: string;
  idempotencyKey: string;
}

export async function makeOwner(gateway: Gateway, name: string, isAdmin = false): Promise<Owner> {
  const user = { login: `${name}-${CANARY}`, credit: 987.654321, isAdmin };
  const owner = await gateway.addUser(user);
  const { token } = owner;
  const roomId = await gateway.room(token);
  const message = { room_id: roomId, ai: 1, message: `${CANARY} asks`, system_prompt: CANARY };
  const headers = { 'idempotency-key': `${CANARY}-key` };
  await gateway.data<object>('/ai/send/', message, { token, headers });
  const image = { room_id: roomId, ai: 2, message: `${CANARY} draws` };
  const drawn = await gateway.data<{ response: string }>('/ai/send/', image, { token });
  const named = { name: `${CANARY} laptop` };
  const { id } = await gateway.data<{ id: string }>('/account/keys/', named, { token });
  const response = await gateway.fetch('/v1/responses', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'sandbox/sandbox-text', input: `${CANARY} responds` }),
  });
  const { id: responseId } = (await response.json()) as { id: string };
  return {
    ...owner,
    roomId,
    keyId: id,
    responseId,
    idempotencyKey: headers['idempotency-key'],
    imageId: drawn.response.split('/').at(-1) ?? '',
  };
}

export interface Stranger {
  name: string;
  headers: Record<string, string>;
  /** Whether these are valid credentials, of another user. */
  isUser: boolean;
  /** Logs in again, after a route that ends sessions. */
  renew?: () => Promise<void>;
}

/** @param clock is moved forward, so that earlier tokens have expired */
export async function makeStrangers(gateway: Gateway, clock: MovableClock): Promise<Stranger[]> {
  const stale = await gateway.addUser({ login: 'stale' });
  clock.forward(2 * DAY_MS);
  const bob = await gateway.addUser({ login: 'bob', credit: 100 });
  const key = async (token: string, scope = 'full') => {
    const body = { name: 'x', scope };
    return (await gateway.data<{ key: string }>('/account/keys/', body, { token })).key;
  };
  const blocked = await gateway.addUser({ login: 'blocked' });
  const gone = await gateway.addUser({ login: 'gone' });
  const [bobsKey, blockedKey] = [await key(bob.token), await key(blocked.token)];
  const chatKey = await key(bob.token, 'chat');
  await gateway.core.users.setBlocked(blocked.userId, true);
  await gateway.data<object>('/auth/logout/', {}, gone);
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
  const stranger = (name: string, headers: Record<string, string>, isUser = false): Stranger => ({
    name,
    headers,
    isUser,
  });
  const another = stranger('another user', { ...bearer(bob.token), ...cookie(bob.token) }, true);
  another.renew = async () => {
    const token = await gateway.login(bob.login);
    another.headers = { ...bearer(token), ...cookie(token) };
  };
  return [
    stranger('nobody', {}),
    stranger('garbage', bearer('garbage')),
    stranger('an expired token', bearer(stale.token)),
    stranger('a token after logout', bearer(gone.token)),
    stranger('a token of a blocked user', bearer(blocked.token)),
    stranger('a key of a blocked user', bearer(blockedKey)),
    stranger('a forged token', bearer(await forged())),
    stranger('a forged key', bearer(`zk_${'0'.repeat(16)}_${'0'.repeat(64)}`)),
    stranger('a forged token as x-api-key', { 'x-api-key': await forged() }),
    another,
    stranger("another user's key", bearer(bobsKey), true),
    stranger("another user's key for chats", bearer(chatKey), true),
  ];
}

export const cookie = (token: string): Record<string, string> =>
  legacyCookie(token, GATEWAY_SECRET);

/** Every claim as it should be, of the first user that there was, signed with a secret that is not ours. */
function forged(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { epoch: 1, jti: '0123456789abcdef0123456789abcdef', sub: '1' };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('zastava')
    .setAudience('zastava-api')
    .setIssuedAt(now)
    .setExpirationTime(now + 3_600)
    .sign(new Uint8Array(32).fill(9));
}
