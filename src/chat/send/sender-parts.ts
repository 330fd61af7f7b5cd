import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import type { ImageStore, StoredImage } from '../../images/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Micro } from '../../lib/money.ts';
import type { ProviderPool } from '../../providers/index.ts';
import type { AdmittedCall } from '../../ledger/index.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import type { FittedContext } from '../context/context.ts';
import type { InFlight } from './in-flight.ts';
import type { SentImages, StoredRequest } from './kinds/kind.ts';
import type { SendInput } from './send-input.ts';
import type { HiddenReasoning } from './hidden-reasoning.ts';
import type { SendCommit } from '../commit/send-commit.ts';

export interface SenderParts {
  db: Database;
  catalogue: Catalogue;
  providers: ProviderPool;
  images: ImageStore;
  clock: Clock;
  log: Log;
  commit: SendCommit;
  inFlight: InFlight;
  hiddenReasoning: HiddenReasoning;
  /** This node's current number, which is stored with its holds. */
  nodeId: () => number;
  /** Asks the database. */
  isAdmin: (userId: number) => Promise<boolean>;
  /** The most bytes of texts and images that are stored for a user. */
  storedBytesMax: number;
  /** How long a provider's stream may wait for a client that takes nothing; 2 minutes by default. */
  readerWaitMs?: number | undefined;
  /** Called for every send that was settled, for metrics. */
  onSettled: (event: SettledEvent) => void;
}

/**
 * An answer may have cost the operator more than was charged.
 *
 *   above_hold   the usage costs more than was held
 *   not_counted  a model that may hide reasoning ended before its provider reported the usage
 */
export interface Undercharge {
  reason: 'above_hold' | 'not_counted';
  /** By our prices; 0 if it is not known. */
  amount: Micro;
}

export interface SettledEvent {
  /** The id of the model that is charged. */
  model: string;
  /** `done`, `stopped`, an error code, or `lost` when another node had voided the hold. */
  outcome: string;
  promptTokens: number;
  completionTokens: number;
  charged: Micro;
  undercharge: Undercharge | undefined;
}

/** What every log line about a send has. */
export function logFacts({ userId, messageId, model, input }: HeldSend) {
  return {
    user: userId,
    message: messageId,
    provider: model.provider,
    model: model.id,
    request_id: input.trace.requestId,
  };
}

export interface HeldSend {
  userId: number;
  messageId: number;
  /** Milliseconds since 1970. */
  askedAt: number;
  hold: Micro;
  outputTokensMax: number;
  model: CatalogueModel;
  /** What the model gets. */
  input: SendInput;
  context: FittedContext;
  /** The part that the history shows. */
  stored: StoredRequest;
  /** Undefined without images. */
  images: SentImages | undefined;
  /** The images whose bytes have been stored so far. */
  storedImages: StoredImage[];
  idempotency: IdempotencyKey | undefined;
  warnings: string[];
  /** The call as the limits of user and key admitted it; undefined if neither has limits. */
  admitted: AdmittedCall | undefined;
}
