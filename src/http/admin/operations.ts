import type { ExportParts, OncePerKey } from '../../chat/index.ts';
import type { BookCheck } from '../../ledger/index.ts';
import type { GraphStore, SeedLists, TrustJobs } from '../../trust/index.ts';
import type { Operation } from '../operation.ts';
import { attemptsOperation } from './attempts.ts';
import { catalogueApplyOperation } from './catalogue-apply.ts';
import { catalogueImportOperation } from './catalogue-import.ts';
import { catalogueOperation } from './catalogue.ts';
import { keyCreateOperation } from './key-create.ts';
import { keyRevokeOperation } from './key-revoke.ts';
import { adminKeysOperation } from './keys.ts';
import { ledgerVerifyOperation } from './ledger-verify.ts';
import { reconcileOperation, type Reconcile } from './reconcile.ts';
import { trustCrawlOperation, trustImportOperation, trustRankOperation } from './trust-graph.ts';
import { trustJobsOperation, trustJobsStopOperation } from './trust-jobs.ts';
import {
  trustReleasesOperation,
  trustReleasesRemoveOperation,
  trustReleasesUseOperation,
} from './trust-releases.ts';
import { trustSeedsAddOperation, trustSeedsOperation } from './trust-seeds.ts';
import { userAddOperation } from './user-add.ts';
import { userBlockOperation } from './user-block.ts';
import { userCreditOperation } from './user-credit.ts';
import { userEraseOperation } from './user-erase.ts';
import { userExportOperation } from './user-export.ts';
import { userLimitOperation } from './user-limit.ts';
import { userLimitsOperation } from './user-limits.ts';
import { userPasswordOperation } from './user-password.ts';
import { userShowOperation } from './user-show.ts';
import { userUnblockOperation } from './user-unblock.ts';
import { usersOperation } from './users.ts';

export interface AdminParts extends ExportParts {
  once: OncePerKey;
  verifyBooks: () => Promise<BookCheck[]>;
  reconcile: Reconcile;
  seeds: SeedLists;
  releases: GraphStore;
  trustJobs: TrustJobs;
}

/** What the command line can do, for admins, but for what reads or writes files of the machine. */
export function adminOperations(parts: AdminParts): Operation[] {
  const { attempts, catalogue, keys, ledger, limits, once, users, releases, trustJobs } = parts;
  return [
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
    trustSeedsOperation(parts.seeds),
    trustSeedsAddOperation(parts.seeds),
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
