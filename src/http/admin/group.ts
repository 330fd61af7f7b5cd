import { userExportOperation } from '../account/export.ts';
import { attemptsOperation } from './attempts.ts';
import { auditOperation } from './audit.ts';
import { ledgerVerifyOperation, reconcileOperation } from './books.ts';
import { catalogueImportOperation } from './catalogue-import.ts';
import { cataloguePriceOperations } from './catalogue-prices.ts';
import { catalogueOperations } from './catalogue.ts';
import { invitationOperations } from './invitations.ts';
import { userKeyOperations } from './keys.ts';
import { trustJobOperations, trustRankOperations, trustWorkOperations } from './trust-jobs.ts';
import { releaseOperations } from './trust-releases.ts';
import { statusOperation } from './status.ts';
import { seedOperations } from './trust-seeds.ts';
import { eraseOperation, userAccessOperations } from './user-access.ts';
import { reportOperation } from './report.ts';
import { usageOperation } from './usage.ts';
import { bulkRefundOperation } from './refunds.ts';
import { userMoneyOperations } from './user-money.ts';
import { userRecordOperations } from './user-records.ts';
import { userOperations } from './users.ts';
import { voucherOperations } from './vouchers.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Operation } from '../operation.ts';

/** Admins can do by HTTP what the command line can, except for reading or writing files of the machine. */
export function adminGroup(parts: OperationParts): Operation[] {
  return [
    ...userOperations(parts),
    ...userMoneyOperations(parts),
    bulkRefundOperation(parts),
    ...userRecordOperations(parts),
    ...userAccessOperations(parts),
    userExportOperation(parts),
    attemptsOperation(parts),
    ...userKeyOperations(parts),
    ...voucherOperations(parts),
    ...invitationOperations(parts),
    ...catalogueOperations(parts),
    catalogueImportOperation(parts),
    ...cataloguePriceOperations(parts),
    statusOperation(parts),
    usageOperation(parts),
    reportOperation(parts),
    auditOperation(parts),
    ledgerVerifyOperation(parts),
    reconcileOperation(parts),
    ...seedOperations(parts),
    ...trustWorkOperations(parts),
    ...trustRankOperations(parts),
    ...trustJobOperations(parts),
    ...releaseOperations(parts),
    eraseOperation(parts),
  ];
}
