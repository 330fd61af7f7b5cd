import type { CatalogueModel } from '../catalogue/index.ts';
import type { Estimator, ExportParts, OncePerKey, Sender } from '../chat/index.ts';
import type { BookCheck } from '../ledger/index.ts';
import type { GraphStore, SeedLists, TrustCheck, TrustJobs } from '../trust/index.ts';
import type { Authenticator, TrustAllowance } from '../users/index.ts';
import { accountOperation } from './account/account.ts';
import { exportOperation } from './account/export.ts';
import { keysOperation } from './account/keys.ts';
import { passwordOperation } from './account/password.ts';
import { transactionsOperation } from './account/transactions.ts';
import { usageOperation } from './account/usage.ts';
import { attemptsOperation } from './admin/attempts.ts';
import { catalogueApplyOperation } from './admin/catalogue-apply.ts';
import { catalogueImportOperation } from './admin/catalogue-import.ts';
import { catalogueOperation } from './admin/catalogue.ts';
import { adminKeysOperation, keyCreateOperation, keyRevokeOperation } from './admin/keys.ts';
import { ledgerVerifyOperation } from './admin/ledger-verify.ts';
import { reconcileOperation, type Reconcile } from './admin/reconcile.ts';
import {
  trustCrawlOperation,
  trustImportOperation,
  trustRankOperation,
} from './admin/trust-graph.ts';
import { trustJobsOperation, trustJobsStopOperation } from './admin/trust-jobs.ts';
import {
  trustReleasesOperation,
  trustReleasesRemoveOperation,
  trustReleasesUseOperation,
} from './admin/trust-releases.ts';
import { trustSeedsAddOperation, trustSeedsOperation } from './admin/trust-seeds.ts';
import {
  userBlockOperation,
  userEraseOperation,
  userPasswordOperation,
  userUnblockOperation,
} from './admin/user-access.ts';
import { userAddOperation } from './admin/user-add.ts';
import { userExportOperation } from './admin/user-export.ts';
import { userLimitsOperation } from './admin/user-limits.ts';
import { userCreditOperation, userLimitOperation } from './admin/user-money.ts';
import { usersOperation, userShowOperation } from './admin/users.ts';
import { estimateOperation } from './ai/estimate.ts';
import { historyOperation } from './ai/history.ts';
import { roomDeleteOperation, roomOperation, roomsOperation } from './ai/rooms.ts';
import { sendOperation } from './ai/send.ts';
import { settingsOperation } from './ai/settings.ts';
import { loginOperation, logoutOperation, refreshOperation } from './auth/sessions.ts';
import type { Operation } from './operation.ts';
import { bulkOperation } from './trust/bulk.ts';
import { checkOperation, trustHistoryOperation } from './trust/check.ts';

export interface OperationParts extends ExportParts {
  allowance: TrustAllowance;
  authenticator: Authenticator;
  estimator: Estimator;
  modelsWithinLimits: (userId: number) => Promise<CatalogueModel[]>;
  once: OncePerKey;
  reconcile: Reconcile;
  releases: GraphStore;
  seeds: SeedLists;
  sender: Sender;
  trust: TrustCheck;
  trustJobs: TrustJobs;
  verifyBooks: () => Promise<BookCheck[]>;
}

/** Every JSON operation, in the order of the reference page. Each gets only the modules that it uses. */
export function operationsOf(parts: OperationParts): Operation[] {
  const { allowance, attempts, authenticator, catalogue, clock, history, images, keys } = parts;
  const { ledger, limits, once, releases, rooms, seeds, sender, trust, trustJobs, users } = parts;
  return [
    loginOperation(authenticator),
    refreshOperation(authenticator),
    logoutOperation(authenticator),

    roomOperation(rooms),
    settingsOperation(parts.modelsWithinLimits),
    sendOperation(sender, catalogue),
    historyOperation(history, { catalogue, imageUrl: (id) => images.url(id) }),
    roomsOperation(rooms),
    roomDeleteOperation(rooms, images),
    estimateOperation(parts.estimator, catalogue),

    checkOperation(trust, allowance),
    bulkOperation(trust, allowance),
    trustHistoryOperation(trust),

    accountOperation(parts),
    passwordOperation(authenticator),
    keysOperation(keys),
    usageOperation(parts.usage, catalogue, clock),
    transactionsOperation(ledger),
    exportOperation(parts),

    // Admins can do by HTTP what the command line can, except for reading or writing files of the machine.
    usersOperation(users, ledger, limits),
    userAddOperation(users, ledger),
    userShowOperation(users, ledger, limits),
    userCreditOperation(users, ledger, once),
    userLimitOperation(users, ledger),
    userLimitsOperation(users, limits, catalogue),
    userPasswordOperation(users),
    userBlockOperation(users),
    userUnblockOperation(users),
    userEraseOperation(parts),
    userExportOperation(parts),
    attemptsOperation(users, attempts),
    adminKeysOperation(users, keys),
    keyCreateOperation(users, keys),
    keyRevokeOperation(keys),
    catalogueOperation(catalogue),
    catalogueApplyOperation(catalogue),
    catalogueImportOperation(catalogue),
    ledgerVerifyOperation(parts.verifyBooks),
    reconcileOperation(parts.reconcile),
    trustSeedsOperation(seeds),
    trustSeedsAddOperation(seeds),
    trustImportOperation(trustJobs),
    trustCrawlOperation(trustJobs),
    trustRankOperation(trustJobs),
    trustJobsOperation(trustJobs),
    trustJobsStopOperation(trustJobs),
    trustReleasesOperation(releases),
    trustReleasesUseOperation(releases, trustJobs),
    trustReleasesRemoveOperation(releases),
  ];
}
