import type { CatalogueModel } from '../catalogue/index.ts';
import { DomainError } from '../lib/errors.ts';
import { ProviderError } from '../providers/index.ts';
import { callModels } from './call-models.ts';
import type { HoldResult, IdempotencyKey } from './commit/commands.ts';
import type { FittedContext } from './context.ts';
import { capOf, contextFor, holdAsk } from './hold-ask.ts';
import { holdRefusal } from './hold-refusal.ts';
import { usableModel } from './models.ts';
import { stoppingError, toCallerError } from './provider-errors.ts';
import type { SenderParts, SendResult } from './send-parts.ts';
import { checkAgainstModel, type SendInput } from './send-rules.ts';
import {
  priceAnswer,
  settleAnswer,
  settleFailure,
  type Held,
  type PricedAnswer,
} from './settle-send.ts';

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
    const context = await contextFor(this.#parts, userId, model, input);
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
    throw holdRefusal(result);
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
        priced = await priceAnswer(this.#parts, held, await callModels(catalogue, providers, call));
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

function reducedCapWarning(cap: number): string {
  return `max_output_tokens was lowered to ${cap}, the most that your balance covers`;
}
