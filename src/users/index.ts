export {
  ApiKeys,
  type ApiKey,
  type KeyWrite,
  type NewApiKey,
  type WantedApiKey,
} from './api-keys.ts';
export { AttemptThrottle, type Attempted, type Attempter } from './attempt-throttle.ts';
export { Authenticator, type AuthenticatorParts, type LoginInput } from './authenticator.ts';
export { CallerCache } from './caller-cache.ts';
export {
  covers,
  keyIdOf,
  keyScopes,
  scopesWith,
  type Caller,
  type KeyCredential,
  type KeyScope,
  type Right,
  type TokenCredential,
} from './caller.ts';
export { KeyChanges, ROTATION_OVERLAP_MS } from './key-changes.ts';
export { API_KEY_NAME_CHARACTERS_MAX, API_KEY_TAGS_MAX, apiKeyTagPattern } from './key-checks.ts';
export { LoginThrottle } from './login-throttle.ts';
export { foldLogin, parseLogin } from './login-name.ts';
export {
  checkPassword,
  PASSWORD_BYTES_MAX,
  PASSWORD_CHARACTERS_MIN,
  Passwords,
  type HashCost,
} from './passwords.ts';
export type { LoginTrace, RefusedLogin } from './password-check.ts';
export { purgeUsers } from './purge.ts';
export { actingRole, includes, requireRoleOver, roleIn, roles, type Role } from './roles.ts';
export { resealSecondFactors, SecondFactors } from './second-factors.ts';
export { SecurityLog, TALLY_MS, type SecurityEvent } from './security-log.ts';
export { Tokens, type IssuedToken } from './tokens.ts';
export { TrustAllowance, type TakenChecks } from './trust-allowance.ts';
export type { NewUser } from './new-user.ts';
export type { User } from './user.ts';
export { Users } from './users.ts';
