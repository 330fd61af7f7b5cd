/** New users and rooms for the next thousands of requests, without the damage of former ones. */
import { legacyCookie } from '../../support/legacy-cookie.ts';
import { ask, login, newRoom } from '../support/client.ts';
import { SECRET } from '../support/stand.ts';
import type { Known } from '../support/routes.ts';
import type { Credentials } from './requests.ts';

const PASSWORD = 'fuzz-password';

export interface Epoch {
  known: Known;
  credentials: Credentials;
}

/** @param admin an API key of an admin */
export async function newEpoch(url: string, admin: string, number: number): Promise<Epoch> {
  const [user, victim] = [`fuzz-${number}`, `victim-${number}`];
  for (const name of [user, victim]) {
    await ask(url, admin, '/admin/users/add/', { login: name, password: PASSWORD, credit: 1_000 });
  }
  // From an address that nothing has been tried from.
  const address = `10.0.${number >> 8}.${number & 255}`;
  const session = await login(url, { login: user, password: PASSWORD }, address);
  const { key } = await ask(url, session, '/account/keys/', { name: 'fuzz' });
  const theirs = await ask(url, admin, '/admin/keys/create/', { login: victim, name: 'theirs' });
  const roomId = await newRoom(url, session);
  const drawn = await ask(url, session, '/ai/send/', { room_id: roomId, ai: 2, message: 'a gate' });
  const imageId = String(drawn['response']).split('/').at(-1) ?? '';
  const responseId = await newResponse(url, String(key));
  return {
    known: { roomId, login: victim, imageId, keyId: String(theirs['id']), responseId },
    credentials: { user: String(key), admin, cookie: legacyCookie(session, SECRET).cookie },
  };
}

async function newResponse(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'sandbox/sandbox-text', input: 'Hello' }),
  });
  return ((await response.json()) as { id: string }).id;
}
