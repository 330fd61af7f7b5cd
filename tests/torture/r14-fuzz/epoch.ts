/** New users and rooms for the next thousands of requests, without the damage of earlier ones. */
import { legacyCookie } from '../../support/legacy-cookie.ts';
import { postOk, login, newRoom } from '../support/client.ts';
import { SECRET } from '../support/stand.ts';
import type { Known } from '../support/routes.ts';
import type { Credentials } from './requests.ts';
import { modelsFor } from './upstreams.ts';

const PASSWORD = 'fuzz-password';
/** Rubles: more than the requests of an epoch can cost. */
const CREDIT = 1_000_000;

export interface Epoch {
  known: Known;
  credentials: Credentials;
}

/**
 * @param admin an API key of an admin
 * @param turn chooses the model of texts
 */
export async function newEpoch(
  url: string,
  admin: string,
  { number, turn, catalogue }: { number: number; turn: number; catalogue: string },
): Promise<Epoch> {
  const models = modelsFor(turn);
  const [user, victim] = [`fuzz-${number}`, `victim-${number}`];
  for (const name of [user, victim]) {
    await postOk(url, admin, '/admin/users/add/', {
      login: name,
      password: PASSWORD,
      credit: CREDIT,
    });
  }
  // From an address from which nothing has been attempted.
  const address = `10.0.${number >> 8}.${number & 255}`;
  const session = await login(url, { login: user, password: PASSWORD }, address);
  const { key } = await postOk(url, session, '/account/keys/', { name: 'fuzz' });
  const theirs = await postOk(url, admin, '/admin/keys/create/', { login: victim, name: 'theirs' });
  const roomId = await newRoom(url, session);
  const drawn = await postOk(url, session, '/ai/send/', {
    room_id: roomId,
    ai: models.image,
    message: 'a gate',
  });
  const imageId = String(drawn['response']).split('/').at(-1) ?? '';
  const responseId = await newResponse(url, String(key), models.text);
  const keyId = String(theirs['id']);
  return {
    known: { roomId, login: victim, imageId, keyId, responseId, models, catalogue },
    credentials: { user: String(key), admin, cookie: legacyCookie(session, SECRET).cookie },
  };
}

async function newResponse(url: string, key: string, model: number): Promise<string> {
  const response = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: String(model), input: 'Hello' }),
  });
  return ((await response.json()) as { id: string }).id;
}
