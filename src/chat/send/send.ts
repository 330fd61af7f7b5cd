import { CallFailure, callModels, type ModelAnswer } from './call-models.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import { DetachedSends, type Detached } from '../detached/detached-sends.ts';
import { afterCall, failSend } from './fail.ts';
import { DomainError, stoppingError } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';
import { endsWithin } from '../../lib/within.ts';
import type { EventSink, SendFacts, SendResult } from './send-result.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';
import { kindOf, type SendInput } from './send-input.ts';
import { cutAnswer } from './output-limit.ts';
import { replayed } from './replayed.ts';
import { priceAnswer, type PricedAnswer } from './pricing.ts';
import { storeImages } from './sent-images.ts';
import { settleAnswer } from './settle.ts';
import { TextStream } from './stream.ts';
import { takeHold } from './take-hold.ts';

/** Hold → call → settle: the life of a send. See docs/architecture.md. */
export class Sender {
  readonly #parts: SenderParts;
  /** The sends of this node that continue without their clients. */
  readonly detached: DetachedSends;
  #stopping = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.detached = new DetachedSends(parts, (held, sink) => this.#stream(held, sink));
  }

  /**
   * Sends a message to a model, charges it, and answers once both are durable. Continues to its end when the caller
   * hangs up.
   * @throws every code of the send operation; a hold is never left behind
   */
  async send(
    userId: number,
    input: SendInput,
    idempotency: IdempotencyKey | undefined,
  ): Promise<SendFacts & { result: SendResult }> {
    if (this.#stopping) throw stoppingError(false);
    const taken = await takeHold(this.#parts, userId, input, idempotency);
    if ('replay' in taken) return { result: taken.replay, replayed: true, quotas: [] };
    const { held } = taken;
    const quotas = held.admitted?.quotas ?? [];
    const answering = this.#callAndSettle(held);
    const result = await (quotas.length > 0 ? withQuotas(quotas, answering) : answering);
    return { result, replayed: false, quotas };
  }

  /**
   * Like `send`, but events of the answer go to the sink as they come. Refusals before the provider is called are
   * thrown; a later failure is the last event. When the client leaves, the provider is stopped, and the part that the
   * client has taken is kept and charged.
   * @returns also the room of the message: for a kept answer, the room of the first request
   */
  async stream(
    userId: number,
    input: SendInput,
    idempotency: IdempotencyKey | undefined,
    sink: EventSink,
  ): Promise<SendFacts & { roomId: string }> {
    if (this.#stopping) throw stoppingError(false);
    const taken = await takeHold(this.#parts, userId, input, idempotency);
    if ('replay' in taken) {
      const { replay } = taken;
      for (const batch of await replayed(this.#parts.catalogue, replay)) sink.push(batch);
      sink.end();
      return { roomId: replay.roomId, replayed: true, quotas: [] };
    }
    const { held } = taken;
    this.#stream(held, sink);
    return { roomId: input.roomId, replayed: false, quotas: held.admitted?.quotas ?? [] };
  }

  /**
   * Sends a message like `stream`, but continues to its end when its clients leave, unless it is stopped. If a detached
   * send already runs under this key, on any node, that one is returned.
   * @throws what `stream` throws
   */
  async detach(
    userId: number,
    input: SendInput,
    idempotency: IdempotencyKey | undefined,
  ): Promise<Detached> {
    if (this.#stopping) throw stoppingError(false);
    return this.detached.begin(userId, input, idempotency);
  }

  /** Refuses new sends. Running ones get up to `drainMs`, then their provider calls are stopped. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    const { inFlight, commit } = this.#parts;
    await endsWithin(inFlight.idle(), drainMs);
    inFlight.abortAll();
    this.detached.close();
    await inFlight.idle();
    await commit.idle();
  }

  #stream(held: HeldSend, sink: EventSink): void {
    const { input, messageId: id, askedAt } = held;
    sink.push([{ type: 'start', roomId: input.roomId, id, askedAt }]);
    if (!kindOf(input).isWhole?.(input)) return void new TextStream(this.#parts, held, sink).run();
    // The answer comes in one piece. The send continues to its end when the client leaves.
    this.#callAndSettle(held, () => sink.sent())
      .then(
        (result) => sink.push([{ type: 'done', result }]),
        (error: unknown) => sink.push([{ type: 'error', error: afterCall(error) }]),
      )
      .finally(() => sink.end());
  }

  async #callAndSettle(held: HeldSend, onSent?: () => void): Promise<SendResult> {
    const { userId, messageId } = held;
    const { inFlight, catalogue, providers } = this.#parts;
    const running = inFlight.start(userId, messageId);
    const signal = running.value.stopper;
    try {
      let answer: ModelAnswer | undefined;
      let priced: PricedAnswer;
      try {
        if (held.images) await storeImages(this.#parts, held);
        answer = await callModels(catalogue, providers, { held, signal, onSent });
        if ('text' in answer.answer) {
          const { served, answer: text } = answer;
          this.#parts.hiddenReasoning.learnFromAnswer(served, held.input, text);
          const cut = cutAnswer(text, held.outputTokensMax, userId);
          if (cut) answer = { ...answer, answer: await cut };
        }
        priced = await priceAnswer(this.#parts, held, answer, signal);
      } catch (error) {
        const { served = held.model, attempts = [] } = answer ?? {};
        const failure = error instanceof CallFailure ? error : { error, served, attempts };
        throw await failSend(this.#parts, held, failure, signal.aborted);
      }
      return await settleAnswer(this.#parts, held, priced, answer.attempts);
    } catch (error) {
      throw afterCall(error);
    } finally {
      inFlight.end(running);
    }
  }
}

/** Adds what is left of a caller's limits to the error with which the work fails. */
export async function withQuotas<T>(quotas: readonly Quota[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError) error.quotas = quotas;
    throw error;
  }
}
