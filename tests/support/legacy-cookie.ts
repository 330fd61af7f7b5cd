/** The cookie of the cookie interface for the user of a bearer token, without the cost of a login. */

/**
 * The same claims as in the token, for the other audience.
 * @param secret of the server
 */
export function legacyCookie(token: string, secret: string): { cookie: string } {
  const [header = '', claims = ''] = token.split('.');
  const facts: object = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const changed = JSON.stringify({ ...facts, aud: 'zastava-cookie' });
  const signed = `${header}.${Buffer.from(changed).toString('base64url')}`;
  const hmac = new Bun.CryptoHasher('sha256', secret).update(signed).digest('base64url');
  return { cookie: `zastava_session=${signed}.${hmac}` };
}
