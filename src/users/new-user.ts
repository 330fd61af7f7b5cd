import type { HashLane } from './passwords.ts';
import type { Role } from './roles.ts';

export interface NewUser {
  login: string;
  password: string;
  /** `user` by default. */
  role?: Role | undefined;
  trustAllowance?: number | null | undefined;
  /** The password is an initial one: the user must change it at the first login. */
  mustChangePassword?: boolean | undefined;
  /** The lane in which the password waits for its hash. */
  hashLane?: HashLane | undefined;
}
