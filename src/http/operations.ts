import { accountOperations } from './account/account.ts';
import { exportOperation, userExportOperation } from './account/export.ts';
import { keyChangeOperations, keysOperation } from './account/keys.ts';
import { recordOperations } from './account/records.ts';
import { redeemOperation } from './account/redeem.ts';
import { secondFactorOperations } from './account/second-factor.ts';
import { ownSessionOperations } from './account/sessions.ts';
import { spendOperations } from './account/spend.ts';
import { attemptsOperation } from './admin/attempts.ts';
import { auditOperation } from './admin/audit.ts';
import { ledgerVerifyOperation, reconcileOperation } from './admin/books.ts';
import { catalogueImportOperation } from './admin/catalogue-import.ts';
import { cataloguePriceOperations } from './admin/catalogue-prices.ts';
import { catalogueOperations } from './admin/catalogue.ts';
import { invitationOperations } from './admin/invitations.ts';
import { userKeyOperations } from './admin/keys.ts';
import {
  trustJobOperations,
  trustRankOperations,
  trustWorkOperations,
} from './admin/trust-jobs.ts';
import { releaseOperations } from './admin/trust-releases.ts';
import { statusOperation } from './admin/status.ts';
import { seedOperations } from './admin/trust-seeds.ts';
import { eraseOperation, userAccessOperations } from './admin/user-access.ts';
import { reportOperation } from './admin/report.ts';
import { usageOperation } from './admin/usage.ts';
import { bulkRefundOperation } from './admin/refunds.ts';
import { userMoneyOperations } from './admin/user-money.ts';
import { userRecordOperations } from './admin/user-records.ts';
import { userOperations } from './admin/users.ts';
import { voucherOperations } from './admin/vouchers.ts';
import { stopOperation } from './ai/detached.ts';
import { historyOperation } from './ai/history.ts';
import { roomListOperations, roomOperation } from './ai/rooms.ts';
import { searchOperation } from './ai/search.ts';
import { estimateOperation, sendOperation, settingsOperation } from './ai/send.ts';
import { pageSessionOperations } from './auth/page-session.ts';
import { registerOperations } from './auth/register.ts';
import { loginOperation, sessionOperations } from './auth/sessions.ts';
import type { OperationParts } from './operation-parts.ts';
import type { Operation } from './operation.ts';
import { lastCheckOperation, trustOperations } from './trust/check.ts';

/**
 * Every JSON operation, in the order of the reference page. Their examples work in this order, so an operation that
 * removes something comes after those that use it.
 */
export function operationsOf(parts: OperationParts): Operation[] {
  return [
    loginOperation(parts),
    ...registerOperations(parts),

    roomOperation(parts),
    settingsOperation(parts),
    sendOperation(parts),
    stopOperation(parts),
    historyOperation(parts),
    estimateOperation(parts),
    searchOperation(parts),
    ...roomListOperations(parts),

    ...trustOperations(parts),
    lastCheckOperation(parts),

    ...accountOperations(parts),
    keysOperation(parts),
    ...keyChangeOperations(parts),
    ...ownSessionOperations(parts),
    ...secondFactorOperations(parts),
    ...recordOperations(parts),
    ...spendOperations(parts),
    redeemOperation(parts),
    exportOperation(parts),

    // Admins can do by HTTP what the command line can, except for reading or writing files of the machine.
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

    ...pageSessionOperations(parts),
    ...sessionOperations(parts),
  ];
}
