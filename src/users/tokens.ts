import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Tx } from '../db/index.ts';
import { toUnixSeconds, type Clock } from '../lib/clock.ts';
import { assert, DomainError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';

/** Bytes of the secret at least: the output length of SHA-256 (RFC 7518, 3.2). */
export const SECRET_BYTES_MIN = 32;

const ALGORITHM = 'HS256';
const TYPE = 'JWT';
const ISSUER = 'zastava';
const AUDIENCE = 'zastava-api';
/** Characters; ours have about 300. */
const TOKEN_CHARACTERS_MAX = 1_024;

/**
 * Three parts of base64url and nothing around them. The last character of a 32-byte signature has two
 * unused bits; with them fixed, a token has one spelling only.
 */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

const claimsSchema = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  jti: z.string().regex(/^[0-9a-f]{32}$/),
  iat: z.int(),
  exp: z.int(),
  epoch: z.int(),
});

export interface IssuedToken {
  token: string;
  /** Unix seconds; equals the token's `exp`. */
  expiredAt: number;
}

/** What a token says, once its signature was checked. */
export interface TokenClaims {
  userId: number;
  jti: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The user's `token_epoch` at issue; the database knows whether it still counts. */
  epoch: number;
}

/** Issues and reads JSON Web Tokens (RFC 7519), by the practice of RFC 8725: one algorithm, one type. */
export class Tokens {
  readonly #clock: Clock;
  readonly #ttlSeconds: number;
  readonly #key: Promise<CryptoKey>;

  constructor(parts: { clock: Clock; secret: Uint8Array<ArrayBuffer>; ttlSeconds: number }) {
    assert(parts.secret.length >= SECRET_BYTES_MIN, `a secret of ${SECRET_BYTES_MIN} bytes`);
    this.#clock = parts.clock;
    this.#ttlSeconds = parts.ttlSeconds;
    // Imported once: jose would import raw bytes anew for every token.
    this.#key = crypto.subtle.importKey(
      'raw',
      parts.secret,
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
  }

  /** @param ttlSeconds how long the token lasts, when it is not the configured time */
  async issue(userId: number, epoch: number, ttlSeconds = this.#ttlSeconds): Promise<IssuedToken> {
    const issuedAt = toUnixSeconds(this.#clock.now());
    const expiredAt = issuedAt + ttlSeconds;
    const token = await new SignJWT({ epoch })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(String(userId))
      .setJti(uuidHex())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiredAt)
      .sign(await this.#key);
    return { token, expiredAt };
  }

  /**
   * Reads a token; whether it was revoked only the database knows. No leeway on its expiry.
   * @throws `invalid_token` for whatever this server did not sign, `token_expired`
   */
  async verify(token: string): Promise<TokenClaims> {
    if (token.length > TOKEN_CHARACTERS_MAX || !tokenPattern.test(token)) throw invalidToken();
    try {
      const { payload } = await jwtVerify(token, await this.#key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        currentDate: new Date(this.#clock.now()),
      });
      const claims = claimsSchema.parse(payload);
      return {
        userId: Number(claims.sub),
        jti: claims.jti,
        expiresAt: claims.exp * 1000,
        epoch: claims.epoch,
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw tokenExpired();
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw invalidToken();
      throw error;
    }
  }

  /** Ends one token. @returns false when it had been ended before */
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

export function invalidToken(): DomainError {
  return new DomainError('invalid_token', 'the token or API key is not valid; log in again');
}

export function tokenExpired(): DomainError {
  return new DomainError('token_expired', 'the token or API key has expired; log in again');
}

export function tokenRevoked(): DomainError {
  return new DomainError('token_revoked', 'the token or API key was revoked; log in again');
}

export function userBlocked(): DomainError {
  return new DomainError('user_blocked', 'this user is blocked; ask the administrator');
}
