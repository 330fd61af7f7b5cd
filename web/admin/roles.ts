import { session } from '../app/session.ts';
import { w } from './words/index.ts';

const roles = ['user', 'operator', 'admin'] as const;
type Role = (typeof roles)[number];

/** Operators make no admins. */
export function rolesToGive(): readonly Role[] {
  return session.value?.role === 'admin' ? roles : roles.slice(0, -1);
}

/** The roles that the user may grant, with their words. */
export function roleNames(): Readonly<Record<string, string>> {
  const names = w().roles;
  return Object.fromEntries(rolesToGive().map((role) => [role, names[role]]));
}
