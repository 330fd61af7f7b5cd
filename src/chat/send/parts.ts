import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Micro } from '../../lib/money.ts';
import type { ProviderPool, ToolCall } from '../../providers/index.ts';
import type { InFlight } from './in-flight.ts';
import type { SendCommit } from '../commit/send-commit.ts';

/** The answer to a send. Amounts are micro-rubles; `versionId` is the Model as it was then. */
export interface SendResult {
  roomId: string;
  id: number;
  request: string;
  /** The answer's text, or the URL of the image. */
  response: string;
  costRequest: Micro;
  costResponse: Micro;
  versionId: number;
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  usageSource: 'provider' | 'estimated';
  finishReason: string;
  /** The stop text that ended the answer, if the provider reports it. */
  stopSequence?: string | undefined;
  /** After the charge. */
  balance: Micro;
  /** How many earlier messages were sent along. */
  contextUsed: number;
  seed: number | null;
  warnings: string[];
  /** Calls of functions that the model asks for, on the compatible interfaces. */
  toolCalls: ToolCall[];
  /** What the model thought before these calls, where its provider wants that back with their results. */
  thoughts?: string | undefined;
  /** Of an embedding request: one vector for each input. */
  vectors?: number[][] | undefined;
  /** Parts of the counts above; null: the provider reported none. */
  cachedPromptTokens: number | null;
  /** Absent in an answer that an earlier version kept for its idempotency key. */
  cacheWritePromptTokens?: number | null;
  reasoningTokens: number | null;
  /** When the message was sent, milliseconds since 1970. */
  askedAt: number;
  /** When the answer was complete, milliseconds since 1970. */
  respondedAt: number;
}

export interface SenderParts {
  db: Database;
  catalogue: Catalogue;
  providers: ProviderPool;
  images: ImageStore;
  clock: Clock;
  log: Log;
  commit: SendCommit;
  inFlight: InFlight;
  nodeId: () => number;
  isAdmin: (userId: number) => Promise<boolean>;
  /** How long a provider's stream may wait for a reader who has left all room filled; 2 minutes unless told. */
  readerWaitMs?: number | undefined;
  /** Called for every send that was settled, for metrics. */
  onSettled: (event: SettledEvent) => void;
}

export interface SettledEvent {
  model: string;
  outcome: string;
  promptTokens: number;
  completionTokens: number;
  charged: Micro;
}
