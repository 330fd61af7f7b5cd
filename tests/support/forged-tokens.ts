/** Tokens that are forged or no longer valid. A careless check would accept each of them. */
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

export interface GoodClaims {
  iss: string;
  aud: string;
  sub: string;
  jti: string;
  iat: number;
  exp: number;
  epoch: number;
  auth_time: number;
}

const goodHeader = { alg: 'HS256', typ: 'JWT' };
const otherSecret = new Uint8Array(32).fill(8);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes tokens from valid claims and the secret that signs valid ones. */
export class Forger {
  readonly claims: GoodClaims;
  readonly #secret: Uint8Array;

  constructor(claims: GoodClaims, secret: Uint8Array) {
    this.claims = claims;
    this.#secret = secret;
  }

  /** A valid token by default. */
  sign(claims: object = {}, header: object = {}, secret = this.#secret): Promise<string> {
    return new SignJWT({ ...this.claims, ...claims })
      .setProtectedHeader({ ...goodHeader, ...header })
      .sign(secret);
  }

  /** By name, each made on demand. All are `invalid_token`. */
  get all(): Record<string, () => string | Promise<string>> {
    return { ...this.#algorithms, ...this.#keys, ...this.#contents, ...this.#spellings };
  }

  get #algorithms(): Record<string, () => string | Promise<string>> {
    const { claims } = this;
    return {
      'no signature, alg none': () => new UnsecuredJWT({ ...claims }).encode(),
      'alg none over a real signature': () => this.#spliced(0, { alg: 'none', typ: 'JWT' }),
      'alg NONE in capitals': () => this.#spliced(0, { alg: 'NONE', typ: 'JWT' }),
      'alg in small letters': () => this.#spliced(0, { alg: 'hs256', typ: 'JWT' }),
      'no alg': () => this.#spliced(0, { typ: 'JWT' }),
      'an alg that is a list': () => this.#spliced(0, { alg: ['HS256'], typ: 'JWT' }),
      'another HMAC, HS512': () => this.sign({}, { alg: 'HS512' }, new Uint8Array(64).fill(7)),
      'another HMAC, HS384': () => this.sign({}, { alg: 'HS384' }, new Uint8Array(48).fill(7)),
      'signed with RSA': () => this.#rsaSigned(),
      'a public key as the secret': () => this.#publicKeyAsSecret(),
      'RS256 named over an HMAC': () => this.#spliced(0, { alg: 'RS256', typ: 'JWT' }),
      'ES256 named over an HMAC': () => this.#spliced(0, { alg: 'ES256', typ: 'JWT' }),
      'an unknown critical header': () =>
        this.#spliced(0, { ...goodHeader, crit: ['b64'], b64: false }),
      'compressed, it says': () => this.sign({}, { zip: 'DEF' }, otherSecret),
    };
  }

  get #keys(): Record<string, () => string | Promise<string>> {
    const later = { exp: 99_999_999_999 };
    return {
      'another secret': () => this.sign({}, {}, otherSecret),
      'another secret, lasting for ever': () => this.sign(later, {}, otherSecret),
      'a secret of zeros': () => this.sign({}, {}, new Uint8Array(32)),
      'the secret as text': () =>
        this.sign({}, {}, Buffer.from(Buffer.from(this.#secret).toString('hex'))),
      'another user spliced in': () => this.#spliced(1, { ...this.claims, sub: '987' }),
      'a later expiry spliced in': () => this.#spliced(1, { ...this.claims, ...later }),
      'kid that names a file': () => this.sign({}, { kid: '../../dev/null' }, otherSecret),
      'kid that is SQL': () => this.sign({}, { kid: "' UNION SELECT 'x" }, otherSecret),
      'kid that is the secret': () => this.sign({}, { kid: encode(otherSecret) }, otherSecret),
      'its own key in the header': () =>
        this.sign({}, { jwk: { kty: 'oct', k: encode(otherSecret) } }, otherSecret),
      'a key address in the header': () => this.sign({}, { jku: 'http://[::1]/' }, otherSecret),
      'a certificate in the header': () => this.sign({}, { x5c: ['AAAA'] }, otherSecret),
      'a certificate address in the header': () =>
        this.sign({}, { x5u: 'http://[::1]/' }, otherSecret),
    };
  }

  get #contents(): Record<string, () => string | Promise<string>> {
    const { exp, iat } = this.claims;
    const expired = { exp: iat - 10 };
    return {
      'wrong issuer': () => this.sign({ iss: 'other' }),
      'wrong audience': () => this.sign({ aud: 'other' }),
      'the audience of the other interface': () =>
        this.sign({ aud: this.claims.aud === 'zastava-api' ? 'zastava-cookie' : 'zastava-api' }),
      'wrong type': () => this.sign({}, { typ: 'refresh+jwt' }),
      'no type': () => this.sign({}, { typ: undefined }),
      'no issuer': () => this.sign({ iss: undefined }),
      'no audience': () => this.sign({ aud: undefined }),
      'no sub': () => this.sign({ sub: undefined }),
      'no jti': () => this.sign({ jti: undefined }),
      'no iat': () => this.sign({ iat: undefined }),
      'no exp': () => this.sign({ exp: undefined }),
      'no epoch': () => this.sign({ epoch: undefined }),
      'a sub that is no number': () => this.sign({ sub: '5 OR 1=1' }),
      'a sub of 0': () => this.sign({ sub: '0' }),
      'a sub below 0': () => this.sign({ sub: '-1' }),
      'a sub with a zero before': () => this.sign({ sub: `0${this.claims.sub}` }),
      'an epoch that is text': () => this.sign({ epoch: '1' }),
      'an exp that is text': () => this.sign({ exp: String(exp) }),
      'an exp with a fraction': () => this.sign({ exp: exp + 0.5 }),
      'a jti of another shape': () => this.sign({ jti: "x'--" }),
      'not yet valid': () => this.sign({ nbf: iat + 1_000 }),
      'expired, and wrong issuer': () => this.sign({ ...expired, iss: 'other' }),
      'expired, and another secret': () => this.sign(expired, {}, otherSecret),
      'too long': () => this.sign({ more: 'x'.repeat(2_000) }),
    };
  }

  get #spellings(): Record<string, () => string | Promise<string>> {
    return {
      'signature cut': async () => (await this.sign()).slice(0, -1),
      'signature gone': async () => (await this.sign()).replace(/[^.]*$/, ''),
      'signature of zeros': async () => (await this.sign()).replace(/[^.]*$/, 'A'.repeat(43)),
      'two parts': async () => (await this.sign()).split('.').slice(0, 2).join('.'),
      'four parts': async () => `${await this.sign()}.x`,
      'parts in another order': async () => (await this.sign()).split('.').toReversed().join('.'),
      'space before': async () => ` ${await this.sign()}`,
      'space after': async () => `${await this.sign()} `,
      'line end after': async () => `${await this.sign()}\n`,
      'space inside the signature': async () => (await this.sign()).replace(/(.{5})$/, ' $1'),
      'padding after': async () => `${await this.sign()}=`,
      'the scheme before': async () => `Bearer ${await this.sign()}`,
      'only dots': () => '..',
      empty: () => '',
    };
  }

  async #rsaSigned(): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT({ ...this.claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .sign(privateKey);
  }

  /** The classic attack: a public key's text used as the HMAC secret. */
  async #publicKeyAsSecret(): Promise<string> {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const raw = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
    return this.sign({}, {}, raw);
  }

  async #spliced(part: 0 | 1, replacement: unknown): Promise<string> {
    const parts = (await this.sign()).split('.');
    parts[part] = encode(replacement);
    return parts.join('.');
  }
}
