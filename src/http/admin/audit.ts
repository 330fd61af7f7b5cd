import { z } from 'zod';
import { auditActions, auditOrigins } from '../../audit/index.ts';
import { dayOfDate, dayZone, startOfDay } from '../../lib/days.ts';
import { invalidField } from '../../lib/errors.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import {
  day,
  dayZoneField,
  idGiven,
  named,
  pageLimit,
  textOrNull,
  unixSeconds,
  withoutNulls,
} from '../schemas.ts';
import { userLogin } from './users.ts';

const values = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .readonly()
  .nullable();

export const auditEntry = named('AuditEntry', {
  id: z.int().describe('Grows with each act.'),
  at: unixSeconds,
  action: z.enum(auditActions),
  origin: z
    .enum(auditOrigins)
    .describe('`http`: an operation; `command`: the command line; `server`: a start, by settings.'),
  by: textOrNull.describe('Login of the admin; null unless `origin` is `http`.'),
  by_key: textOrNull.describe('The id of the API key that was used; null: none.'),
  address: textOrNull.describe("The client's address; null unless `origin` is `http`."),
  system_user: textOrNull.describe(
    'The system user who ran the command; null unless `origin` is `command`.',
  ),
  login: textOrNull.describe('The user whom it is about; null: no user.'),
  subject: textOrNull.describe('Another thing that the act is about, e.g. the id of a key.'),
  before: values.describe(
    'The changed values before the act. Amounts are in rubles, times in Unix seconds.',
  ),
  after: values.describe('The same fields after it.'),
  changes: z.array(z.string()).describe('Changes of the catalogue or of lists, one line for each.'),
  changes_omitted: z.int().describe('How many more lines there were.'),
  request_id: textOrNull.describe('The `X-Request-Id` of its answer.'),
});

const auditBody = z.object({
  user: userLogin.nullish().describe('Only acts about this user, by login.'),
  by: userLogin.nullish().describe('Only acts by this admin, by login.'),
  origin: z.enum(auditOrigins).nullish(),
  action: z.enum(auditActions).nullish(),
  from: day.nullish().describe('The first day.'),
  to: day.nullish().describe('The last day.'),
  limit: pageLimit,
  before: idGiven.nullish().describe('Only entries with a smaller `id`: the last one of a page.'),
});

export const auditOperation = ({ audit, users }: OperationParts) =>
  adminOperation({
    path: '/admin/audit/',
    unlogged: true,
    summary: 'List administrative acts',
    description:
      'Newest first. Who did what to whom, when and from where. Entries never change; logins are the present ones.',
    body: auditBody,
    result: z.object({ ...dayZoneField, entries: z.array(auditEntry) }),
    errors: ['not_found'],
    handle: async (body) => {
      const { user, by, from, to, ...filter } = withoutNulls(body);
      if (from && to && from > to) throw invalidField('from', 'must not be after `to`');
      const entries = await audit.read({
        ...filter,
        userId: user === undefined ? undefined : (await users.find(user)).id,
        byUserId: by === undefined ? undefined : (await users.find(by)).id,
        from: from ? startOfDay(dayOfDate(from)) : undefined,
        until: to ? startOfDay(dayOfDate(to) + 1) : undefined,
      });
      return { day_zone: dayZone(), entries };
    },
  });
