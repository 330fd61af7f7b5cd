import type { CatalogueModel } from '../catalogue/index.ts';
import type {
  Estimate,
  ExportParts,
  OncePerKey,
  ReconcileOptions,
  Reconciliation,
  Sender,
  SendInput,
} from '../chat/index.ts';
import type { BookCheck } from '../ledger/index.ts';
import type { GraphStore, SeedLists, TrustCheck, TrustJobs } from '../trust/index.ts';
import type { Authenticator, TrustAllowance } from '../users/index.ts';

/** The modules that operations call. Each group of operations takes those that it uses. */
export interface OperationParts extends ExportParts {
  allowance: TrustAllowance;
  authenticator: Authenticator;
  estimate: (userId: number, send: SendInput) => Promise<Estimate>;
  /** The models that a user may use, by id. */
  modelsWithinLimits: (userId: number) => Promise<CatalogueModel[]>;
  once: OncePerKey;
  reconcile: (csv: AsyncIterable<string>, ask: ReconcileOptions) => Promise<Reconciliation>;
  releases: GraphStore;
  seeds: SeedLists;
  sender: Sender;
  trust: TrustCheck;
  trustJobs: TrustJobs;
  verifyBooks: () => Promise<BookCheck[]>;
}
