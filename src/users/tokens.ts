// Parts of the package are imported, since the whole one includes encryption.
import type { JWTPayload } from 'jose';
import { JOSEError, JWSSignatureVerificationFailed, JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';

import { z } from 'zod';
import type { Tx } from '../db/index.ts';
import { fromUnixSeconds, toUnixSeconds, type Clock } from '../lib/clock.ts';
import { assert, DomainError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import type { Audience, TokenFacts } from './caller.ts';

/** The fewest bytes of the secret: the output length of SHA-256 (RFC 7518, 3.2). */
export const SECRET_BYTES_MIN = 32;

const ALGORITHM = 'HS256';
const TYPE = 'JWT';
const ISSUER = 'zastava';
const AUDIENCES: Readonly<Record<Audience, string>> = {
  api: 'zastava-api',
  page: 'zastava-page',
  cookie: 'zastava-cookie',
};
/** Zastava's tokens have about 300 characters. */
const TOKEN_CHARACTERS_MAX = 1_024;

/**
 * Three parts in base64url. The last character of a 32-byte signature has two unused bits; since they are fixed here, a
 * token has only one spelling.
 */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

const claimsSchema = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  jti: z.string().regex(/^[0-9a-f]{32}$/),
  iat: z.int(),
  exp: z.int(),
  epoch: z.int(),
  auth_time: z.int(),
  confirmed: z.int().optional(),
});

export interface IssuedToken {
  token: string;
  jti: string;
  /** Milliseconds since 1970, as all times but the claims: they are Unix seconds. */
  startedAt: number;
  expiresAt: number;
}

interface TokensParts {
  clock: Clock;
  secret: Uint8Array<ArrayBuffer>;
  /** Also accepted, while the secret is being changed. Nothing is signed with it. */
  previousSecret?: Uint8Array<ArrayBuffer> | undefined;
  ttlSeconds: number;
  /** The lifetime of a session: of the first token, and all that replace it. */
  sessionMaxSeconds: number;
}

/** Issues and verifies JSON Web Tokens (RFC 7519) following the practices of RFC 8725: one algorithm, one type. */
export class Tokens {
  readonly #parts: TokensParts;
  readonly #key: Promise<CryptoKey>;
  readonly #previousKey: Promise<CryptoKey> | undefined;

  constructor(parts: TokensParts) {
    this.#parts = parts;
    this.#key = importSecret(parts.secret);
    this.#previousKey = parts.previousSecret && importSecret(parts.previousSecret);
  }

  /**
   * Issues a token, which does not outlast its session.
   * @param options `ttlSeconds`: its lifetime, if it differs from the configured one; `startedAt`: when its session
   * began, in milliseconds since 1970, if not now; `audience`: `api` by default; `jti`: the id of the token that it
   * continues, if any, so that a revocation ends both; `confirmedAt`: when the user last gave the password, in
   * milliseconds since 1970, if not at the beginning of the session
   */
  async issue(
    userId: number,
    epoch: number,
    options: {
      ttlSeconds?: number | undefined;
      startedAt?: number;
      jti?: string;
      audience?: Audience | undefined;
      confirmedAt?: number;
    } = {},
  ): Promise<IssuedToken> {
    const issuedAt = wholeSecond(this.#parts.clock.now());
    const startedAt = wholeSecond(options.startedAt ?? issuedAt);
    const ttlSeconds = options.ttlSeconds ?? this.#parts.ttlSeconds;
    const expiresAt = Math.min(issuedAt + ttlSeconds * 1000, this.#endOf(startedAt));
    const jti = options.jti ?? uuidHex();
    const { confirmedAt } = options;
    const confirmed = confirmedAt === undefined ? {} : { confirmed: toUnixSeconds(confirmedAt) };
    const token = await new SignJWT({ epoch, auth_time: toUnixSeconds(startedAt), ...confirmed })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCES[options.audience ?? 'api'])
      .setSubject(String(userId))
      .setJti(jti)
      .setIssuedAt(toUnixSeconds(issuedAt))
      .setExpirationTime(toUnixSeconds(expiresAt))
      .sign(await this.#key);
    return { token, jti, startedAt, expiresAt };
  }

  /**
   * Verifies a token, without leeway for its expiry. It does not check whether the token was revoked.
   * @throws `invalid_token` for any text that this server did not sign for this audience, `token_expired`
   */
  async verify(
    token: string,
    audience: Audience = 'api',
  ): Promise<TokenFacts & { userId: number }> {
    if (token.length > TOKEN_CHARACTERS_MAX || !tokenPattern.test(token)) throw invalidToken();
    try {
      const claims = claimsSchema.parse(await this.#payloadOf(token, audience));
      const startedAt = fromUnixSeconds(claims.auth_time);
      // The lifetime of sessions may have been reduced since then.
      const expiresAt = Math.min(fromUnixSeconds(claims.exp), this.#endOf(startedAt));
      if (this.#parts.clock.now() >= expiresAt) throw tokenExpired();
      return {
        userId: Number(claims.sub),
        jti: claims.jti,
        expiresAt,
        startedAt,
        confirmedAt: fromUnixSeconds(claims.confirmed ?? claims.auth_time),
        audience,
        epoch: claims.epoch,
      };
    } catch (error) {
      if (error instanceof JWTExpired) throw tokenExpired();
      if (error instanceof JOSEError || error instanceof z.ZodError) throw invalidToken();
      throw error;
    }
  }

  /** The end of a session. */
  #endOf(startedAt: number): number {
    return startedAt + this.#parts.sessionMaxSeconds * 1000;
  }

  async #payloadOf(token: string, audience: Audience): Promise<JWTPayload> {
    const options = {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCES[audience],
      currentDate: new Date(this.#parts.clock.now()),
    };
    try {
      return (await jwtVerify(token, await this.#key, options)).payload;
    } catch (error) {
      if (!this.#previousKey || !(error instanceof JWSSignatureVerificationFailed)) {
        throw error;
      }
      return (await jwtVerify(token, await this.#previousKey, options)).payload;
    }
  }

  /** Revokes a token. @returns false if it had already ended */
  async revoke(
    tx: Tx,
    token: { jti: string; userId: number; expiresAt: number },
  ): Promise<boolean> {
    const rows = await tx.query(
      `INSERT INTO revoked_tokens (jti, user_id, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (jti) DO NOTHING RETURNING jti`,
      [token.jti, token.userId, token.expiresAt],
    );
    return rows.length > 0;
  }
}

/** Claims have no fractions of a second. */
function wholeSecond(milliseconds: number): number {
  return fromUnixSeconds(toUnixSeconds(milliseconds));
}

/** Imports the secret once: jose would import raw bytes for every token. */
function importSecret(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  assert(
    secret.length >= SECRET_BYTES_MIN,
    `the secret must have at least ${SECRET_BYTES_MIN} bytes`,
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify']);
}

export function invalidToken(): DomainError {
  return new DomainError('invalid_token', 'the token is not valid; log in again');
}

export function tokenExpired(): DomainError {
  return new DomainError('token_expired', 'the token has expired; log in again');
}

export function tokenRevoked(): DomainError {
  return new DomainError('token_revoked', 'the token was revoked; log in again');
}

export function userBlocked(): DomainError {
  return new DomainError('user_blocked', 'this user is blocked; ask the administrator');
}
