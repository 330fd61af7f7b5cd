import type { Catalogue, CatalogueModel } from '../catalogue/index.ts';
import type { Database } from '../db/index.ts';
import type { ImageStore } from '../images/index.ts';
import { REDUCED_CAP_MIN, type HoldAsk } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { ProviderError, type ProviderPool } from '../providers/index.ts';
import { callModels } from './call-models.ts';
import type { HoldResult, IdempotencyKey } from './commit/commands.ts';
import { readContext, type FittedContext } from './context.ts';
import { InFlight } from './in-flight.ts';
import { usableModel } from './models.ts';
import { stoppingError, toCallerError } from './provider-errors.ts';
import { roomNotFound } from './rooms.ts';
import { SendCommit } from './send-commit.ts';
import { checkAgainstModel, type SendInput } from './send-rules.ts';
import {
  priceAnswer,
  settleAnswer,
  settleFailure,
  type Held,
  type PricedAnswer,
} from './settle-send.ts';
import { freePrice } from './settlement.ts';

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
  /** After the charge. */
  balance: Micro;
  /** How many earlier messages were sent along. */
  contextUsed: number;
  seed: number | null;
  warnings: string[];
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
  /** Told of every send that was settled, for metrics. */
  onSettled: (event: SettledEvent) => void;
}

export interface SettledEvent {
  model: string;
  outcome: string;
  promptTokens: number;
  completionTokens: number;
  charged: Micro;
}

/** Hold → call → settle: the life of a send. See docs/architecture.md. */
export class Sender {
  readonly #parts: SenderParts;
  #stopping = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /**
   * Sends a message to a model, charges it and returns its answer once both are durable. Goes on to its
   * end when the caller hangs up.
   * @throws every code of the send operation; a hold is never left behind
   */
  async send(
    userId: number,
    input: SendInput,
    idempotency?: IdempotencyKey,
  ): Promise<SendResult & { replayed: boolean }> {
    if (this.#stopping) throw stoppingError(false);
    const model = await usableModel(this.#parts, userId, input.ai);
    const warnings = checkAgainstModel(model, input);
    const context = await this.#context(userId, model, input);
    const result = await this.#hold(userId, model, input, context, idempotency);
    if (result.kind === 'replay') {
      return { ...(JSON.parse(result.response) as SendResult), replayed: true };
    }
    const reduced = result.outputTokensMax < capOf(model, input);
    if (reduced) warnings.push(reducedCapWarning(result.outputTokensMax));
    const held: Held = { userId, model, input, context, idempotency, warnings, ...result };
    return { ...(await this.#callAndSettle(held)), replayed: false };
  }

  /** No new sends; those that run get up to `drainMs`, then their provider calls are stopped. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    const { inFlight, commit } = this.#parts;
    let timer: Timer | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([inFlight.idle(), timeout]);
    clearTimeout(timer);
    inFlight.abortAll();
    await inFlight.idle();
    await commit.idle();
  }

  #context(userId: number, model: CatalogueModel, input: SendInput): Promise<FittedContext> {
    const isText = model.type === 'TEXT';
    return readContext(this.#parts.db, {
      userId,
      roomId: input.roomId,
      depth: isText ? input.chatDepth : 0,
      systemPrompt: isText ? input.systemPrompt : '',
      message: input.message,
      maxInputTokens: model.maxInputTokens,
      imageUrl: (id) => this.#parts.images.url(id),
    });
  }

  async #hold(
    userId: number,
    model: CatalogueModel,
    input: SendInput,
    context: FittedContext,
    idempotency: IdempotencyKey | undefined,
  ): Promise<Extract<HoldResult, { kind: 'held' | 'replay' }>> {
    const { commit, nodeId, clock } = this.#parts;
    const result = await commit.hold({
      kind: 'hold',
      userId,
      roomId: input.roomId,
      nodeId: nodeId(),
      ask: holdAsk(model, input, context),
      idempotency,
      versionId: model.versionId,
      systemPrompt: input.systemPrompt,
      request: input.message,
      parameters: {
        chat_depth: input.chatDepth,
        temperature: input.temperature,
        seed: input.seed,
      },
      at: clock.now(),
    });
    if (result.kind === 'held' || result.kind === 'replay') return result;
    throw refusal(result);
  }

  async #callAndSettle(held: Held): Promise<SendResult> {
    const { userId, messageId } = held;
    const { inFlight, catalogue, providers } = this.#parts;
    const signal = inFlight.start(userId, messageId);
    try {
      const { model: asked, input, context, outputTokensMax } = held;
      let priced: PricedAnswer;
      try {
        const call = { asked, input, context, outputTokensMax, signal };
        priced = await priceAnswer(
          this.#parts,
          held,
          await callModels(catalogue, providers, call),
        );
      } catch (error) {
        throw await this.#fail(held, error, signal.aborted);
      }
      return await settleAnswer(this.#parts, held, priced);
    } finally {
      inFlight.end(userId, messageId);
    }
  }

  /** Voids the hold (or charges what a refusal cost) and returns what the caller gets to see. */
  async #fail(held: Held, error: unknown, stopped: boolean): Promise<unknown> {
    const told = error instanceof ProviderError ? toCallerError(error) : error;
    const seen = stopped ? stoppingError(true) : told;
    const code = seen instanceof DomainError ? seen.code : 'internal_error';
    const usage = error instanceof ProviderError ? error.usage : undefined;
    await settleFailure(this.#parts, held, code, usage);
    return seen;
  }
}

function capOf(model: CatalogueModel, input: SendInput): number {
  return input.maxOutputTokens ?? model.maxOutputTokens;
}

/** The most that this call can use, at the asked model's price. */
export function holdAsk(model: CatalogueModel, input: SendInput, context: FittedContext): HoldAsk {
  return {
    price: model.price ?? freePrice,
    inputTokensMax: context.inputTokensMax,
    outputTokensMax: capOf(model, input),
    reducibleTo: input.maxOutputTokens === undefined ? REDUCED_CAP_MIN : 0,
  };
}

function reducedCapWarning(cap: number): string {
  return `max_output_tokens was lowered to ${cap}, the most that your balance covers`;
}

function refusal(result: Exclude<HoldResult, { kind: 'held' | 'replay' }>): DomainError {
  switch (result.kind) {
    case 'room_not_found':
      return roomNotFound();
    case 'in_progress':
      return new DomainError(
        'idempotency_in_progress',
        'the first request with this Idempotency-Key is still running: wait for it, then repeat',
      );
    case 'key_reused':
      return new DomainError(
        'idempotency_key_reused',
        'this Idempotency-Key was used with another body: use a new key for a new request',
      );
    case 'insufficient': {
      const needed = toRubles(result.needed);
      const available = toRubles(result.available);
      const affordable = result.affordableOutputTokens;
      const advice =
        affordable > 0
          ? `top up, or send max_output_tokens of at most ${affordable}`
          : 'top up the balance';
      return new DomainError(
        'insufficient_funds',
        `the request can cost up to ${needed} ₽ and ${available} ₽ are available: ${advice}`,
        {
          facts: { needed, available, max_output_tokens: affordable },
          details: [
            { path: 'needed', message: `${needed}` },
            { path: 'available', message: `${available}` },
            { path: 'max_output_tokens', message: `${affordable}` },
          ],
        },
      );
    }
  }
}
