import { Stopper, type StopSignal } from '../../lib/stop-signal.ts';
import type { CatalogueModel } from '../../catalogue/index.ts';
import {
  noUsage,
  ProviderError,
  type TextPart,
  type ToolCall,
  type ToolCallPart,
  type Usage,
} from '../../providers/index.ts';
import { openStream, type OpenedStream } from './call-models.ts';
import type { DomainError } from '../../lib/errors.ts';
import { failSend } from './fail.ts';
import { afterCall } from './provider-errors.ts';
import type { SenderParts, SendResult } from './parts.ts';
import type { Held } from './held.ts';
import { priceAnswer, priceStopped, priceUncalled } from './price-answer.ts';
import { settleAnswer } from './settle.ts';

/**
 * What a streamed send tells, in this order: `start`, `served`, any number of `delta`, then `done` or `error`.
 * `served` comes together with what follows it, so it is missing before an `error` alone.
 */
export type StreamEvent =
  | { type: 'start'; roomId: string; id: number; askedAt: number }
  /** The version of the model that answers, which may be a fallback. */
  | { type: 'served'; versionId: number }
  | { type: 'delta'; text: string }
  | ToolCallPart
  | { type: 'done'; result: SendResult }
  | { type: 'error'; error: DomainError };

/** Events that came together. */
export type StreamEvents = AsyncGenerator<readonly StreamEvent[]>;

/**
 * The events of a send whose hold is taken. They always end in `done` or `error`, after the settle; a
 * stream that breaks upstream never ends cleanly.
 * @param gone aborted when the client has hung up
 * @param whole sends without streaming, for models whose answer comes in one piece
 */
export async function* streamHeld(
  parts: SenderParts,
  held: Held,
  gone: StopSignal,
  whole: (held: Held) => Promise<SendResult>,
): StreamEvents {
  const { input, messageId: id, askedAt } = held;
  const start = { type: 'start' as const, roomId: input.roomId, id, askedAt };
  if (held.model.type === 'IMAGE') {
    // Begun before the first event is taken: an image runs on to its end when the client leaves.
    const end = whole(held).then(
      (result) => ({ type: 'done' as const, result }),
      (error: unknown) => ({ type: 'error' as const, error: afterCall(error) }),
    );
    yield [start];
    yield [await end];
    return;
  }
  const stopping = parts.inFlight.start(held.userId, held.messageId);
  try {
    yield* new TextStream(parts, held, gone, stopping).events(start);
  } finally {
    parts.inFlight.end(held.userId, held.messageId);
  }
}

class TextStream {
  readonly #parts: SenderParts;
  readonly #held: Held;
  readonly #gone: StopSignal;
  readonly #stopping: StopSignal;
  #served: CatalogueModel;
  #servedIsTold = false;
  /** Whether a provider may have been asked for anything. */
  #called = false;
  #delivered = '';
  /** Tool calls as far as they came, by their indexes: a stopped stream is charged for them too. */
  readonly #deliveredCalls = new Map<number, ToolCall>();
  /** What the provider has told of its usage so far. */
  #told: Usage = noUsage;
  #settled = false;

  constructor(parts: SenderParts, held: Held, gone: StopSignal, stopping: StopSignal) {
    this.#parts = parts;
    this.#held = held;
    this.#gone = gone;
    this.#stopping = stopping;
    this.#served = held.model;
  }

  /** @param start goes out first, while the provider is already being called */
  async *events(start: StreamEvent): StreamEvents {
    const opening = this.#open();
    // The client may leave before anybody waits for it.
    opening.catch(() => undefined);
    try {
      yield [start];
      const stream = await opening;
      yield* this.#relay(stream);
    } catch (error) {
      // Gone: the finally below keeps what was delivered, and nobody is there to be told.
      if (!this.#gone.aborted) yield [{ type: 'error', error: await this.#fail(error) }];
    } finally {
      // Also when the consumer leaves the loop: the client hung up between two parts.
      if (!this.#settled) await this.#stop(opening);
    }
  }

  #open(): Promise<OpenedStream> {
    const { catalogue, providers } = this.#parts;
    const { model: asked, input, context, outputTokensMax, attempts, admitted } = this.#held;
    // It left while the hold was taken.
    if (this.#gone.aborted) return Promise.reject(new Error('the client has left'));
    this.#called = true;
    const signal = Stopper.following(this.#gone, this.#stopping);
    const allowed = admitted?.models ?? null;
    const call = { asked, allowed, input, context, outputTokensMax, signal, attempts };
    const onAsked = (served: CatalogueModel, told: Usage): void => {
      this.#served = served;
      this.#told = told;
    };
    return openStream(catalogue, providers, { ...call, onAsked });
  }

  async *#relay({ first, rest }: OpenedStream): StreamEvents {
    try {
      for (let parts = first; ;) {
        const events: StreamEvent[] = [];
        let answer: FinishedAnswer | undefined;
        for (const part of parts) {
          if (part.type === 'finish') answer = part.answer;
          else if (part.type === 'usage') this.#told = part.usage;
          else events.push(this.#deliver(part));
        }
        if (answer) events.push(...this.#emptyArguments(answer));
        if (events.length > 0) yield this.#withServed(events);
        if (answer) {
          yield this.#withServed([{ type: 'done', result: await this.#finish(answer) }]);
          return;
        }
        const next = await rest.next();
        if (next.done) throw new Error('a provider stream ended without its finish');
        parts = next.value;
      }
    } finally {
      await rest.return(undefined);
    }
  }

  /** Says who answers before the first thing that is said. */
  #withServed(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (this.#servedIsTold) return events;
    this.#servedIsTold = true;
    return [{ type: 'served', versionId: this.#served.versionId }, ...events];
  }

  /** Counted as delivered when it is handed over. */
  #deliver(part: Extract<TextPart, { type: 'text' | 'tool_call' }>): StreamEvent {
    if (part.type === 'tool_call') {
      this.#deliverCall(part);
      return part;
    }
    this.#delivered += part.text;
    return { type: 'delta', text: part.text };
  }

  #deliverCall({ index, id = '', name = '', arguments: piece }: ToolCallPart): void {
    const call = this.#deliveredCalls.get(index);
    if (call) call.arguments += piece;
    else this.#deliveredCalls.set(index, { id, name, arguments: piece });
  }

  /** A call for which no arguments came has those of an empty object: clients parse them as JSON. */
  #emptyArguments({ toolCalls }: FinishedAnswer): StreamEvent[] {
    return toolCalls.flatMap((call, index) =>
      this.#deliveredCalls.get(index)?.arguments === ''
        ? [this.#deliver({ type: 'tool_call', index, arguments: call.arguments })]
        : [],
    );
  }

  async #finish(answer: FinishedAnswer): Promise<SendResult> {
    const text = this.#delivered;
    const { asked, served } = { asked: this.#held, served: this.#served };
    const whole = { type: 'TEXT' as const, served, answer: { ...answer, text } };
    const priced = await priceAnswer(this.#parts, asked, whole);
    this.#settled = true;
    return settleAnswer(this.#parts, this.#held, priced);
  }

  #fail(error: unknown): Promise<DomainError> {
    if (this.#settled) return Promise.resolve(afterCall(error));
    this.#settled = true;
    const calls = [...this.#deliveredCalls.values()].map((call) => call.arguments);
    const delivered = [this.#delivered, ...calls];
    return failSend(this.#parts, this.#held, error, this.#stopping.aborted, delivered);
  }

  async #stop(opening: Promise<OpenedStream>): Promise<void> {
    this.#settled = true;
    const called = this.#called && !(await neverSent(opening));
    const toolCalls = [...this.#deliveredCalls.values()];
    const delivered = { text: this.#delivered, toolCalls, told: this.#told };
    const priced = called
      ? await priceStopped(this.#held, this.#served, delivered)
      : priceUncalled(this.#held);
    await settleAnswer(this.#parts, this.#held, priced);
  }
}

/** Ends a stream that may still be opening. @returns whether nothing of its request has left the gateway */
async function neverSent(opening: Promise<OpenedStream>): Promise<boolean> {
  try {
    // A stream that opened after the client had left is nobody's: `gone` has ended it, this closes it.
    await (await opening).rest.return(undefined);
    return false;
  } catch (error) {
    return error instanceof ProviderError && !error.accepted;
  }
}

type FinishedAnswer = Extract<TextPart, { type: 'finish' }>['answer'];
