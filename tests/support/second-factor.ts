/** Second factors for tests of HTTP. Another implementation computes the codes. */
import { Secret, TOTP } from 'otpauth';
import { type Gateway, PASSWORD, type PostOptions } from './gateway.ts';
import type { MovableClock } from './clock.ts';

const STEP_MS = 30_000;

/** The user's authenticator app: the codes of a secret. */
export function authenticator(secret: string, clock: MovableClock) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return {
    secret,
    /** A code that was not used before: it moves the clock to the next time step. */
    next(): string {
      clock.forward(STEP_MS);
      return totp.generate({ timestamp: clock.now() });
    },
  };
}

/** Sets up a second factor of the user of a credential. */
export async function setUpSecondFactor(
  gateway: Gateway,
  clock: MovableClock,
  credential: PostOptions,
) {
  const begun = await gateway.data<{ secret: string; uri: string }>(
    '/account/second-factor/begin/',
    { password: PASSWORD },
    credential,
  );
  const app = authenticator(begun.secret, clock);
  const { body, headers } = await gateway.post(
    '/account/second-factor/confirm/',
    { code: app.next() },
    credential,
  );
  const { recovery_codes: codes } = body.data as { recovery_codes: string[] };
  return { ...begun, app, codes, headers };
}
