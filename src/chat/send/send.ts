import type { CatalogueModel } from '../../catalogue/index.ts';
import { CallFailure, callModels, type ModelAnswer } from './call-models.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import { afterCall, failSend } from './fail.ts';
import { DomainError, stoppingError } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';
import { endsWithin } from '../../lib/within.ts';
import type { EventBatch, EventSink, SendResult } from './send-result.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';
import type { SendInput } from './send-input.ts';
import { cutAnswer } from './output-limit.ts';
import { priceAnswer, type PricedAnswer } from './pricing.ts';
import { settleAnswer } from './settle.ts';
import { streamHeld } from './stream.ts';
import { takeHold } from './take-hold.ts';

/** Facts about a send besides its answer. */
export interface SendFacts {
  /** The answer is one that was kept for the idempotency key. */
  replayed: boolean;
  /** What was left of the caller's limits when the send began; empty without limits. */
  quotas: readonly Quota[];
}

/** Hold → call → settle: the life of a send. See docs/architecture.md. */
export class Sender {
  readonly #parts: SenderParts;
  #stopping = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /**
   * Sends a message to a model, charges it, and answers once both are durable. Goes on to its end when the caller hangs
   * up.
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
   * thrown; a later failure is the last event. When the client leaves, the provider is stopped, and what the client
   * has taken is kept and charged.
   * @returns with the room of the message: of a kept answer, the room that it was sent in
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
      const { type } = await this.#parts.catalogue.versionView(replay.versionId);
      for (const batch of replayed(replay, type)) sink.push(batch);
      sink.end();
      return { roomId: replay.roomId, replayed: true, quotas: [] };
    }
    const { held } = taken;
    streamHeld(this.#parts, held, sink, (one) => this.#callAndSettle(one));
    return { roomId: input.roomId, replayed: false, quotas: held.admitted?.quotas ?? [] };
  }

  /** No new sends; those that run get up to `drainMs`, then their provider calls are stopped. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    const { inFlight, commit } = this.#parts;
    await endsWithin(inFlight.idle(), drainMs);
    inFlight.abortAll();
    await inFlight.idle();
    await commit.idle();
  }

  async #callAndSettle(held: HeldSend): Promise<SendResult> {
    const { userId, messageId } = held;
    const { inFlight, catalogue, providers } = this.#parts;
    const signal = inFlight.start(userId, messageId);
    try {
      let answer: ModelAnswer | undefined;
      let priced: PricedAnswer;
      try {
        answer = await callModels(catalogue, providers, { ...held, signal });
        if ('text' in answer.answer) {
          const { served, answer: text } = answer;
          this.#parts.unseenThoughts.learnFromAnswer(served, held.input, text);
          const cut = cutAnswer(text, held.outputTokensMax);
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
      inFlight.end(userId, messageId);
    }
  }
}

/** Adds what is left of a caller's limits to the error that the work fails with. */
export async function withQuotas<T>(quotas: readonly Quota[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError) error.quotas = quotas;
    throw error;
  }
}

/** A stored answer as a stream: the events of the first one, but with the text in one piece. */
function* replayed(result: SendResult, type: CatalogueModel['type']): Generator<EventBatch> {
  const { roomId, id, askedAt } = result;
  yield [{ type: 'start', roomId, id, askedAt }];
  yield [{ type: 'served', versionId: result.versionId }];
  // The address of an image is no text.
  if (type === 'TEXT' && !result.choices && result.response !== '')
    yield [{ type: 'delta', text: result.response }];
  for (const [index, call] of (result.choices ? [] : result.toolCalls).entries())
    yield [{ type: 'tool_call', index, ...call }];
  yield [{ type: 'done', result }];
}
