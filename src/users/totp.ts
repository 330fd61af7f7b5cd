import { createHmac, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

/**
 * Time-based one-time passwords (RFC 6238) as pure functions, with the parameters that every authenticator app
 * supports.
 */

/** How long one code is shown. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** How many steps before and after the current one have valid codes: clocks differ, and people type slowly. */
const STEPS_AROUND = 1;

/** Bytes of a secret: the output of SHA-1, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;

/** The number of the time step at a moment. */
export function stepAt(at: number): number {
  return Math.floor(at / STEP_MS);
}

/** The code of a time step: RFC 4226, 5.3, with HMAC-SHA-1. @param digits 6, or the 8 of the vectors of RFC 6238 */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function isTotpCode(text: string): boolean {
  return text.length === DIGITS && /^\d+$/.test(text);
}

/** The time steps around a moment that have this code: usually one or none. */
export function stepsWithCode(secret: Uint8Array, code: string, at: number): number[] {
  const given = Buffer.from(code);
  const now = stepAt(at);
  const steps: number[] = [];
  for (let step = now - STEPS_AROUND; step <= now + STEPS_AROUND; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (expected.length === given.length && timingSafeEqual(expected, given)) steps.push(step);
  }
  return steps;
}

/** If a text ends with a possible code: the text before it, and the code. */
export function splitCode(text: string): { before: string; code: string } | undefined {
  const code = text.slice(-DIGITS);
  return isTotpCode(code) ? { before: text.slice(0, -DIGITS), code } : undefined;
}

/**
 * A secret in the forms that apps accept: typed in, and in the URI of a QR code (the format of Google Authenticator).
 */
export function totpKeyUri(secret: Uint8Array, login: string): { secret: string; uri: string } {
  const text = base32nopad.encode(secret);
  const label = `${ISSUER}:${encodeURIComponent(login)}`;
  return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=${ISSUER}` };
}

const ISSUER = 'Zastava';
