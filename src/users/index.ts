export {
  API_KEY_NAME_CHARACTERS_MAX,
  API_KEY_PREFIX,
  API_KEYS_MAX,
  ApiKeys,
  type ApiKey,
  type NewApiKey,
} from './api-keys.ts';
export { Authenticator, type AuthenticatorParts, type LoginInput } from './authenticator.ts';
export { CallerCache, SESSION_LIFETIME_MS } from './caller-cache.ts';
export type { Caller, KeyCredential, TokenCredential } from './caller.ts';
export { LOGIN_CHARACTERS_MAX } from './login-name.ts';
export { LoginThrottle } from './login-throttle.ts';
export { PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN, Passwords } from './passwords.ts';
export { purgeUsers } from './purge.ts';
export { SECRET_BYTES_MIN, Tokens, type IssuedToken } from './tokens.ts';
export { TrustAllowance, type TakenChecks } from './trust-allowance.ts';
export { Users, type NewUser, type User } from './users.ts';
