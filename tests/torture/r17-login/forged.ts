import { Forger, type GoodClaims } from '../../support/forged-tokens.ts';

/**
 * Sends every forged token to every interface that takes one.
 * @param good a token that the server issued
 * @returns those that were accepted
 */
export async function tryForged(url: string, good: string, secret: string): Promise<Forged> {
  const claims = JSON.parse(atob(good.split('.')[1] ?? '')) as GoodClaims;
  const bearer = new Forger(claims, Buffer.from(secret));
  const cookies = new Forger({ ...claims, aud: 'zastava-cookie' }, Buffer.from(secret));
  const doors: [name: string, path: string, headers: (token: string) => Record<string, string>][] =
    [
      ['/account/', '/account/', (token) => ({ authorization: `Bearer ${token}` })],
      ['/v1/models', '/v1/models', (token) => ({ authorization: `Bearer ${token}` })],
      ['x-api-key', '/v1/models', (token) => ({ 'x-api-key': token })],
      ['cookie', '/login.php', (token) => ({ cookie: `zastava_session=${token}` })],
    ];
  const getsIn = async (path: string, headers: Record<string, string>): Promise<boolean> => {
    const method = path === '/account/' ? 'POST' : 'GET';
    const response = await fetch(url + path, { method, headers });
    const text = await response.text();
    return response.status === 200 && text !== 'no';
  };
  const result: Forged = { tried: 0, letIn: [], keptOut: [] };
  for (const [name, path, headers] of doors) {
    const forger = name === 'cookie' ? cookies : bearer;
    // A valid token made in the same way is accepted: otherwise the others would prove nothing.
    if (!(await getsIn(path, headers(await forger.sign())))) result.keptOut.push(name);
    for (const [what, make] of Object.entries(forger.all)) {
      const token = await make();
      // HTTP strips the white space around a value.
      if (token.trim() !== token) continue;
      result.tried++;
      if (await getsIn(path, headers(token))) result.letIn.push(`${name}: ${what}`);
    }
  }
  return result;
}

export interface Forged {
  tried: number;
  letIn: string[];
  /** Interfaces that refused a valid token. */
  keptOut: string[];
}
