import type { CatalogueModel } from '../../catalogue/index.ts';
import type { AdmittedCall } from '../../ledger/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import type { FittedContext } from '../context/context.ts';
import type { StoredRequest } from './kinds/kind.ts';
import type { SendInput } from './send-input.ts';

/** A send whose hold is taken. */
export interface HeldSend {
  userId: number;
  messageId: number;
  /** Milliseconds since 1970. */
  askedAt: number;
  hold: Micro;
  outputTokensMax: number;
  model: CatalogueModel;
  /** As the model takes it. */
  input: SendInput;
  context: FittedContext;
  /** As the history shows it. */
  stored: StoredRequest;
  idempotency: IdempotencyKey | undefined;
  warnings: string[];
  /** What the user's limits admitted; undefined for a user without limits. */
  admitted: AdmittedCall | undefined;
}
