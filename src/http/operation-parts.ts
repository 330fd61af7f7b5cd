import type { AuditLog } from '../audit/index.ts';
import type { BodyReader } from './body/read.ts';
import type { OpenStreams } from './open-streams.ts';
import type { CatalogueModel } from '../catalogue/index.ts';
import type {
  Estimate,
  ExportParts,
  OncePerKey,
  OperatorReport,
  ReconcileOptions,
  Reconciliation,
  Search,
  Sender,
  SendInput,
  StatusView,
  UsageSums,
  UserList,
} from '../chat/index.ts';
import type { Invitations, Redemption, Registration, VoucherBatches } from '../codes/index.ts';
import type { BookCheck, BulkRefunds, KeyBudgets, Refunds } from '../ledger/index.ts';
import type { GraphStore, SeedLists, TrustCheck, TrustJobBook } from '../trust/index.ts';
import type { Authenticator, KeyChanges, SecondFactors, TrustAllowance } from '../users/index.ts';

/** The modules that the operations and the compatible interfaces call. Each operation takes those that it uses. */
export interface OperationParts extends ExportParts {
  allowance: TrustAllowance;
  audit: AuditLog;
  authenticator: Authenticator;
  bodies: BodyReader;
  budgets: KeyBudgets;
  estimate: (userId: number, send: SendInput) => Promise<Estimate>;
  invitationLink: (code: string) => string;
  invitations: Invitations;
  /** The selected models of a user, by id. A send refuses those that the user's limits exclude. */
  modelsForUser: (
    userId: number,
    isMeant: (model: CatalogueModel) => boolean,
  ) => CatalogueModel[] | Promise<CatalogueModel[]>;
  /** The models within the limits of the user and the API key, by id. For lists, since it asks the database. */
  modelsWithinLimits: (userId: number, keyId: string | undefined) => Promise<CatalogueModel[]>;
  keyChanges: KeyChanges;
  /** Whether operators and admins must have a second factor. */
  needsFactor: boolean;
  once: OncePerKey;
  report: OperatorReport;
  /** True when the public URL is https. */
  secureCookies: boolean;
  redemption: Redemption;
  registration: Registration;
  reconcile: (csv: AsyncIterable<string>, terms: ReconcileOptions) => Promise<Reconciliation>;
  refunds: Refunds;
  bulkRefunds: BulkRefunds;
  releases: GraphStore;
  search: Search;
  secondFactors: SecondFactors;
  seeds: SeedLists;
  sender: Sender;
  streams: OpenStreams;
  trust: TrustCheck;
  trustJobs: TrustJobBook;
  status: () => Promise<StatusView>;
  usageSums: UsageSums;
  userList: UserList;
  voucherBatches: VoucherBatches;
  verifyBooks: () => Promise<BookCheck[]>;
}
