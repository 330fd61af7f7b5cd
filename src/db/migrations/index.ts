import type { Migration } from './migration.ts';
import { unreadColumns } from './013-unread-columns.ts';
import { apiRooms } from './014-api-rooms.ts';
import { responses } from './015-responses.ts';
import { measures } from './016-measures.ts';
import { storedBytes } from './017-stored-bytes.ts';
import { adminLists } from './018-admin-lists.ts';
import { audioSeconds } from './019-audio-seconds.ts';
import { sendStops } from './020-send-stops.ts';
import { usageByKey } from './021-usage-by-key.ts';
import { sessions } from './022-sessions.ts';
import { search } from './023-search.ts';
import { usageCountedByDay } from './024-usage-counted-by-day.ts';
import { usageByPeriod } from './025-usage-by-period.ts';
import { seedSources } from './026-seed-sources.ts';
import { operatorCosts } from './027-operator-costs.ts';
import { operatorRoles } from './028-roles.ts';
import { vouchers } from './029-vouchers.ts';
import { report } from './030-report.ts';
import { audit } from './031-audit.ts';
import { trustWatch } from './032-trust-watch.ts';
import { invitations } from './033-invitations.ts';
import { keyBudgets } from './034-key-budgets.ts';
import { refunds } from './035-refunds.ts';
import { usageDays } from './036-usage-days.ts';
import { secondFactors } from './037-second-factors.ts';
import { sessionPlaces } from './038-session-places.ts';
import { usageSpans } from './039-usage-spans.ts';
import { attemptWaits } from './040-attempt-waits.ts';
import { runningSums } from './041-running-sums.ts';
import { foldedSharpS } from './042-folded-sharp-s.ts';

/** In order of their numbers. A new database is made by `../schema.ts` instead, and gets the number of the last one. */
export const migrations = [
  unreadColumns,
  apiRooms,
  responses,
  measures,
  storedBytes,
  adminLists,
  audioSeconds,
  sendStops,
  usageByKey,
  sessions,
  search,
  usageCountedByDay,
  usageByPeriod,
  seedSources,
  operatorCosts,
  operatorRoles,
  vouchers,
  report,
  audit,
  trustWatch,
  invitations,
  keyBudgets,
  refunds,
  usageDays,
  secondFactors,
  sessionPlaces,
  usageSpans,
  attemptWaits,
  runningSums,
  foldedSharpS,
] as const satisfies readonly Migration[];
