import { z } from 'zod';
import { listedUserView, userOrders, userView } from '../../chat/index.ts';
import { madeByUser } from '../../ledger/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { randomPassword } from '../../lib/ids.ts';
import { toRubles } from '../../lib/money.ts';
import { accountFields, newPassword, trustAllowance, userLimits } from '../account/schemas.ts';
import {
  type Caller,
  requireRoleOver,
  type Role,
  roles,
  type User,
  type Users,
} from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { named, pageLimit, pageOffset, textOrNull, unixSeconds, withoutNulls } from '../schemas.ts';
import { rublesFromZero } from './amount.ts';
import { CONFIRMED_JUST_NOW_SECONDS, requirePassword } from '../web/confirmed.ts';

/** Characters of a search term; a login has at most 64. */
const SEARCH_MAX = 64;

export const userLogin = z.string().describe('In upper or lower case.');

export const mustChangePassword = z
  .boolean()
  .nullish()
  .describe('true: until the user changes the password, it allows nothing else.');

export const adminUser = named('User', {
  id: z.int(),
  login: z.string(),
  is_admin: z.boolean().describe('Whether the role is `admin`.'),
  role: z.enum(roles),
  is_blocked: z.boolean(),
  must_change_password: z.boolean(),
  ...accountFields,
  limits: userLimits,
  trust_allowance: trustAllowance,
  created_at: unixSeconds,
  erased_at: unixSeconds.nullable().describe('null: not erased.'),
});

const newUser = z.object({
  login: z.string().meta({
    minLength: 1,
    description:
      '1 to 64 letters of any script, digits, ".", "_", "-" or "@". "erased-" with a number is reserved for erased users.',
  }),
  password: newPassword.nullish().describe('Absent or null: a password is generated.'),
  is_admin: z.boolean().nullish().describe('true: the role is `admin`; use `role` instead.'),
  role: z.enum(roles).nullish().describe('`user` by default. Only admins add admins.'),
  must_change_password: mustChangePassword,
  credit: rublesFromZero.nullish().describe('An opening top-up, in rubles.'),
  trust_allowance: z
    .int()
    .meta({ minimum: 0 })
    .nullish()
    .describe("Trust checks a day; absent or null: the server's default."),
});

const listBody = z.object({
  limit: pageLimit,
  offset: pageOffset,
  after: z.int().nullish().describe('Only users with a greater id.'),
  search: z
    .string()
    .max(SEARCH_MAX)
    .nullish()
    .describe('A part of the login, in upper or lower case.'),
  is_blocked: z.boolean().nullish(),
  is_admin: z.boolean().nullish(),
  role: z.enum(roles).nullish(),
  is_negative: z.boolean().nullish().describe('Whether the balance is below zero.'),
  order: z.enum(userOrders).nullish().describe('`id` by default; equal ones by id.'),
  descending: z.boolean().nullish(),
});

/** The values that the audit records. */
function newUserValues(role: Role, { credit, ...body }: z.output<typeof newUser>) {
  return {
    role,
    must_change_password: body.must_change_password ?? false,
    trust_allowance: body.trust_allowance ?? null,
    balance: toRubles(credit ?? 0),
  };
}

export const userOperations = ({ clock, users, userList, ledger, limits }: OperationParts) => [
  operatorOperation({
    path: '/admin/users/',
    unlogged: true,
    summary: 'List the users with their balances',
    description: 'Blocked and erased users too, unless a filter leaves them out.',
    body: listBody,
    result: z.object({
      users: z.array(
        adminUser.extend({
          last_used_at: unixSeconds.nullable().describe('When a room was used last; null: never.'),
        }),
      ),
      total: z.int().describe('How many users the filters select, on all pages.'),
    }),
    handle: async (body) => {
      const { is_blocked: isBlocked, is_admin: isAdmin, ...filters } = withoutNulls(body);
      const { is_negative: isNegative, ...others } = filters;
      const found = await userList.read({ ...others, isBlocked, isAdmin, isNegative });
      return { users: found.users.map(listedUserView), total: found.total };
    },
  }),

  operatorOperation({
    path: '/admin/users/add/',
    act: 'user_added',
    summary: 'Add a user',
    description: 'Without a password one is generated, and shown in this answer only.',
    body: newUser,
    example: { login: 'alice' },
    result: z.object({
      user: adminUser,
      password: textOrNull.describe('Only this answer shows it; null if you gave one.'),
    }),
    errors: ['password_required'],
    handle: async (body, { caller, role: by, act }) => {
      const role = roleGiven(body);
      requireMayGive(role, { caller, by, clock });
      const credit = body.credit ?? 0;
      if (credit < 0) throw invalidField('credit', 'must not be negative');
      const generated = body.password == null ? randomPassword() : null;
      const user = await users.add(
        {
          login: body.login,
          password: body.password ?? generated ?? '',
          role,
          trustAllowance: body.trust_allowance ?? null,
          mustChangePassword: body.must_change_password ?? false,
        },
        async (tx, userId) => {
          await ledger.openAccount(tx, userId, credit, madeByUser(caller.userId));
          await act.record(tx, { userId, after: newUserValues(role, body) });
        },
      );
      return { user: userView(user, await ledger.account(user.id)), password: generated };
    },
  }),

  operatorOperation({
    path: '/admin/users/show/',
    unlogged: true,
    summary: 'Show a user',
    description: 'Rights, money, limits and counts of one user.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: adminUser,
    errors: ['not_found'],
    handle: async ({ login }) => {
      const user = await users.find(login);
      return userView(user, await ledger.account(user.id), await limits.get(user.id));
    },
  }),
];

/** @throws `forbidden` for a right above the caller's; `password_required` for any right */
function requireMayGive(
  role: Role,
  { caller, by, clock }: { caller: Caller; by: Role; clock: Clock },
): void {
  requireRoleOver(by, role);
  if (role !== 'user') requirePassword(caller, clock, CONFIRMED_JUST_NOW_SECONDS);
}

/** @throws `invalid_request` if both fields are given and differ */
function roleGiven({ is_admin: isAdmin, role }: z.output<typeof newUser>): Role {
  if (isAdmin != null && role != null && isAdmin !== (role === 'admin')) {
    throw invalidField('role', 'contradicts `is_admin`: leave out `is_admin`');
  }
  return role ?? (isAdmin ? 'admin' : 'user');
}

/**
 * Finds a user who is about to be changed or exported.
 * @param by the role in which the caller acts
 * @throws `not_found`; `forbidden` if the caller is an operator and the user is an admin
 */
export async function changeableUser(users: Users, login: string, by: Role): Promise<User> {
  const user = await users.find(login);
  requireRoleOver(by, user.role);
  return user;
}
