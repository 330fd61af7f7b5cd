/** The two writes of a send as commands, for tests that run batches directly. */
import type { HoldCommand, SettleCommand } from '../../src/chat/commit/commands.ts';
import { noUsage } from '../../src/providers/index.ts';
import { TEXT_MODEL, type Chatter } from './world.ts';

/** The sender and the room. */
type Sender = Pick<Chatter, 'userId' | 'room'>;

/** A micro-ruble per token of output, nothing else. */
export const tokenPrice = { inputTokens: 0, outputTokens: 1_000_000, inputFix: 0, outputFix: 0 };
/** Micro-rubles. */
export const HOLD = 100;
export const NOON = Date.UTC(2026, 10, 21, 12);

/** A hold of `HOLD` for a message in a chatter's room. */
export function holdOf(of: Sender, more: Partial<HoldCommand> = {}): HoldCommand {
  return {
    kind: 'hold',
    userId: of.userId,
    roomId: of.room,
    nodeId: 1,
    keyId: '',
    bounds: { price: tokenPrice, inputTokensMax: 0, outputTokensMax: HOLD, reducibleTo: 0 },
    idempotency: undefined,
    modelId: TEXT_MODEL,
    versionId: 1,
    systemPrompt: '',
    request: 'Hi',
    parameters: {},
    kept: undefined,
    imageBytes: 0,
    storedBytesMax: Infinity,
    at: NOON,
    ...more,
  };
}

/** Its settle: answered, for 11 micro-rubles. */
export function settleOf(
  of: Sender,
  messageId: number,
  more: Partial<SettleCommand> = {},
): SettleCommand {
  return {
    kind: 'settle',
    userId: of.userId,
    roomId: of.room,
    messageId,
    hold: HOLD,
    state: 'done',
    cost: { request: 1, response: 10 },
    versionId: 1,
    modelId: TEXT_MODEL,
    keyId: '',
    request: `title of ${messageId}`,
    failedBytes: 0,
    response: 'Hello',
    usage: { ...noUsage, source: 'provider' },
    finishReason: 'stop',
    providerMessageId: null,
    image: undefined,
    sentImages: [],
    errorCode: null,
    warnings: [],
    counted: undefined,
    operatorCost: null,
    lost: null,
    attempts: [],
    attemptCosts: [],
    idempotency: undefined,
    keptAnswer: undefined,
    keptOutput: undefined,
    at: NOON,
    ...more,
  };
}

/** The settle of a failed send: nothing is charged, and its key is free again. */
export const failed: Partial<SettleCommand> = {
  state: 'failed',
  cost: { request: 0, response: 0 },
  response: '',
  errorCode: 'provider_error',
};
