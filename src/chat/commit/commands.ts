/**
 * The two writes of a send, as commands of the group commit. `hold` happens before the provider is called, `settle`
 * after; nothing else of the send path writes.
 */
import type {
  AccountBook,
  AdmittedCall,
  CountedTokens,
  Cost,
  HoldBounds,
  LimitBook,
  OwnedRefusal,
} from '../../ledger/index.ts';
import type { StoredImage } from '../../images/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { ReportedTokens } from '../../lib/units.ts';
import type { Quota } from '../../lib/quota.ts';
import { noUsage, type Attempt } from '../../providers/index.ts';

/** `stopped`: the client left its stream. */
export const messageStates = ['pending', 'done', 'failed', 'stopped'] as const;
export type MessageState = (typeof messageStates)[number];

/** A caller's idempotency key: unique per user and operation. */
export interface IdempotencyKey {
  operation: string;
  key: string;
  bodySha256: string;
}

/**
 * Stands for an answer that was deleted with its room: the key is kept without its text, so that a repeat is not taken
 * for a new request and charged again. No real answer is empty.
 */
export const DELETED_ANSWER = '';

/** Stands in the same way for an answer that is too large to be stored. No real answer is that short. */
export const OVERSIZED_ANSWER = '-';

/** What is stored of a request of the Responses API, so that it can be read and continued later. */
export interface KeptRequest {
  /** The message whose conversation it continues; 0: none. */
  previousId: number;
  /** UTF-16 units of the whole conversation, up to this input. */
  size: number;
  /** JSON objects. */
  settings: string;
  input: string;
}

export interface HoldCommand {
  kind: 'hold';
  userId: number;
  roomId: string;
  nodeId: number;
  /** The API key of the send; empty: none. */
  keyId: string;
  bounds: HoldBounds;
  idempotency: IdempotencyKey | undefined;
  /** The requested model, and its version. */
  modelId: number;
  versionId: number;
  systemPrompt: string;
  request: string;
  parameters: Record<string, unknown>;
  kept: KeptRequest | undefined;
  /** Bytes of its images, which the settle counts. */
  imageBytes: number;
  /** The most bytes that may be stored for the user, including these texts. */
  storedBytesMax: number;
  at: number;
}

export type HoldResult =
  | {
      kind: 'held';
      messageId: number;
      hold: Micro;
      outputTokensMax: number;
      /** The call as the limits of user and key admitted it; undefined if neither has limits. */
      admitted: AdmittedCall | undefined;
    }
  | { kind: 'limited'; refused: OwnedRefusal; quotas: Quota[] }
  | { kind: 'insufficient'; needed: Micro; available: Micro; affordableOutputTokens: number }
  | { kind: 'room_not_found' }
  | { kind: 'storage_full'; storedBytes: number; storedBytesMax: number }
  /** The key was used before; `response` is what was stored for it: see `readKeptAnswer`. */
  | { kind: 'replay'; response: string }
  | { kind: 'in_progress' }
  | { kind: 'key_reused' };

export interface SettleCommand {
  kind: 'settle';
  userId: number;
  roomId: string;
  messageId: number;
  hold: Micro;
  state: Exclude<MessageState, 'pending'>;
  /** The charge; nothing is charged if both are zero. */
  cost: Cost;
  /** The version and id of the model that answered. */
  versionId: number;
  modelId: number;
  /** The API key of the send; empty: none. */
  keyId: string;
  /** Its first words become the title of a room without one. */
  request: string;
  /** The most bytes of the request that are stored if the send fails. */
  failedBytes: number;
  response: string;
  usage: SettledUsage;
  finishReason: string | null;
  providerMessageId: string | null;
  image: StoredImage | undefined;
  /** The images of the request. */
  sentImages: readonly StoredImage[];
  errorCode: string | null;
  warnings: string[];
  /** The tokens that the limits counted when the call began; undefined if there were none. */
  counted: CountedTokens | undefined;
  /** What all attempts cost the operator; null: not known. */
  operatorCost: Micro | null;
  /** The part of the cost that was not charged, 0 if the amount is not known; null: everything was charged. */
  lost: Micro | null;
  /** The attempts that get a row; empty for a plain success. */
  attempts: readonly Attempt[];
  /** The cost of each of them to the operator. */
  attemptCosts: readonly (Micro | null)[];
  idempotency: IdempotencyKey | undefined;
  /** The answer to keep for the idempotency key, without its balance; undefined releases the key. */
  keptAnswer: string | undefined;
  /** What to keep of the answer besides its text, as JSON, if the request is kept: calls and reasoning. */
  keptOutput: string | undefined;
  at: number;
}

/** The usage of a message as it is stored. */
export interface SettledUsage extends ReportedTokens {
  /** `estimated` if the provider did not report all of the totals; null: it reported nothing. */
  source: 'provider' | 'estimated' | null;
}

export const noSettledUsage: SettledUsage = { ...noUsage, source: null };

/** The fields of a settle that an answer fills. */
export const noAnswer = {
  response: '',
  usage: noSettledUsage,
  finishReason: null,
  providerMessageId: null,
  image: undefined,
  sentImages: [],
  errorCode: null,
  keptAnswer: undefined,
  keptOutput: undefined,
} satisfies Partial<SettleCommand>;

export type SettleResult =
  /** `erased`: the room was deleted meanwhile, so texts and image were not kept. */
  | { kind: 'settled'; balance: Micro; erased: boolean }
  /** Another node took this one for dead, and settled the message first. */
  | { kind: 'lost' };

export type SendCommand = HoldCommand | SettleCommand;
export type SendCommandResult = HoldResult | SettleResult;

/** The state that holds and settles of one transaction share. */
export interface Batch {
  book: AccountBook;
  limits: LimitBook;
  rooms: ReadonlyMap<string, RoomRow>;
}

/** The columns of a room that a batch needs. */
export interface RoomRow {
  roomId: string;
  userId: number;
  deletedAt: number | null;
  erasedThrough: number;
  /** 1 while the room has no title. */
  untitled: number;
  /** Its newest messages: `readRecent`. */
  recent: string;
}
