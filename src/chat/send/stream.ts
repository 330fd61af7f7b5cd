import { Stopper, whenAborted } from '../../lib/stop-signal.ts';
import type { CatalogueModel } from '../../catalogue/index.ts';
import { isDeadline, ProviderError, type Attempt, type TextPart } from '../../providers/index.ts';
import { endsWithin } from '../../lib/within.ts';
import { CallFailure, openStream, type OpenedStream, type StreamingCall } from './call-models.ts';
import { afterCall, deadlineError, failSend, logFailure, slowClientError } from './fail.ts';
import type { RunningSend } from './in-flight.ts';
import { finishOf, OutputLimit } from './output-limit.ts';
import type { EventSink, StreamEvent, SendResult } from './send-result.ts';
import { showsReasoning } from './send-input.ts';
import { logFacts, type HeldSend, type SenderParts } from './sender-parts.ts';
import {
  priceAnswer,
  priceStopped,
  priceUncalled,
  type PricedAnswer,
  type StoppedStream,
} from './pricing.ts';
import { storeImages } from './sent-images.ts';
import { settleAnswer } from './settle.ts';
import { ShownAnswer, writtenIn } from './stream-progress.ts';
import { effortOf } from './hidden-reasoning.ts';
import { StreamRelay, type FinishedAnswer } from './stream-relay.ts';

/** How long a provider's stream may wait for a client that has left no room for more events. */
const READER_WAIT_MS = 120_000;
/** How long a failed stream may take to close before its failure is settled. */
const CLOSE_WAIT_MS = 1_000;

const LEFT = 'the client left the stream';
const WAS_STOPPED = 'the send was stopped';
const TOO_LATE = 'the provider did not complete the answer in time';

/** Whether these warnings show that the deadline of the provider ended the answer. */
export function wasTooLate(warnings: readonly string[]): boolean {
  return warnings.some((warning) => warning.startsWith(TOO_LATE));
}

/**
 * One streamed send whose hold is taken. Its events always end in `done` or `error`, after the settle; a stream that
 * breaks at the provider never ends cleanly.
 *
 * The provider's stream is read at its own pace, and its answer is settled as soon as it is complete, however slowly
 * the client reads. When the client leaves, the provider is stopped if its output so far can be counted. Otherwise its
 * stream is read further, until the output can be counted or the stream ends.
 */
export class TextStream {
  readonly #parts: SenderParts;
  readonly #held: HeldSend;
  /** Its stopper is aborted when this server stops. */
  readonly #running: RunningSend;
  /** Stops the provider: when this server stops, or when the client has left. */
  readonly #stopper: Stopper;
  readonly #sink: EventSink;
  readonly #limit: OutputLimit;
  /** The model that is called now, or was called last. */
  #call: StreamingCall | undefined;
  #served: CatalogueModel;
  /** True once a request may have left the gateway. */
  #isSent = false;
  #attempts: () => readonly Attempt[] = () => [];
  readonly #relay: StreamRelay;
  /** True once the provider had to wait for the client. */
  #hasWaited = false;
  #settled = false;

  constructor(parts: SenderParts, held: HeldSend, sink: EventSink) {
    this.#parts = parts;
    this.#held = held;
    this.#sink = sink;
    this.#served = held.model;
    this.#limit = new OutputLimit(held.outputTokensMax, held.userId);
    this.#running = parts.inFlight.start(held.userId, held.messageId);
    this.#stopper = Stopper.following(this.#running.value.stopper);
    const shows = showsReasoning(held.input);
    this.#relay = new StreamRelay(sink, () => this.#served.versionId, shows);
    whenAborted(sink.gone, () => this.#leave());
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { inFlight, log } = this.#parts;
    try {
      await this.#read(await this.#open());
    } catch (error) {
      try {
        const last = await this.#end(error);
        if (last) this.#sink.push([last]);
      } catch (err) {
        log.error({ err, ...logFacts(this.#held) }, 'the end of a stream failed');
        this.#sink.push([{ type: 'error', error: afterCall(err) }]);
      }
    } finally {
      inFlight.end(this.#running);
      this.#sink.end();
    }
  }

  async #open(): Promise<OpenedStream> {
    const { catalogue, providers } = this.#parts;
    if (this.#held.images) await storeImages(this.#parts, this.#held);
    // The client left while the hold was taken.
    if (this.#hasLeft) throw new Error('the client has left');
    try {
      const opened = await openStream(catalogue, providers, {
        held: this.#held,
        signal: this.#stopper,
        left: this.#sink.gone,
        onCall: (call) => this.#begin(call),
        onSent: () => this.#sink.sent(),
        opens: (parts) => this.#opens(parts),
      });
      this.#isSent = true;
      this.#attempts = opened.attempts;
      this.#served = opened.served;
      return opened;
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      this.#isSent = !failure.isUnsent;
      this.#attempts = () => failure.attempts;
      this.#served = failure.served;
      throw failure.error;
    }
  }

  #begin(call: StreamingCall): void {
    this.#call = call;
    this.#relay.received = new ShownAnswer();
  }

  /** Until there is something for the client, another model may answer instead. */
  #opens(parts: readonly TextPart[]): boolean {
    if (parts.some((part) => this.#relay.shows(part))) return true;
    if (this.#limit.mayPassWith(parts)) return true;
    this.#receive(parts);
    return false;
  }

  async #read({ first, rest }: OpenedStream): Promise<void> {
    const close = () => rest.return(undefined).catch(() => undefined);
    try {
      for (let parts = first; ;) {
        const cut = this.#limit.mayPassWith(parts) ? await this.#limit.cut(parts) : undefined;
        if (cut) {
          await endsWithin(close(), CLOSE_WAIT_MS);
          this.#receive(cut.kept);
          return await this.#finish(finishOf(cut, this.#relay.received));
        }
        const answer = this.#receive(parts);
        if (answer) {
          const { hiddenReasoning } = this.#parts;
          const { received } = this.#relay;
          const { usage } = answer;
          await hiddenReasoning.learnFromStream(this.#served, this.#held, usage, received);
          return await this.#finish(answer);
        }
        const room = this.#sink.room();
        if (room) await this.#waitFor(room);
        const next = await rest.next();
        if (next.done) throw new Error('a provider stream ended without its finish');
        parts = next.value;
      }
    } finally {
      // A failure to close, or a slow close, changes nothing.
      const closed = close();
      if (!this.#settled) await endsWithin(closed, CLOSE_WAIT_MS);
    }
  }

  /** @returns the end of the answer, if it is among the parts */
  #receive(parts: readonly TextPart[]): FinishedAnswer | undefined {
    const answer = this.#relay.receive(parts);
    const { received } = this.#relay;
    if (received.hasWords) received.firstWordAt ??= this.#parts.clock.monotonic();
    // These parts may have made the tokens countable.
    if (this.#hasLeft && !answer) this.#leave();
    return answer;
  }

  get #hasLeft(): boolean {
    return this.#sink.gone.aborted;
  }

  /** The client has left: stops the provider, unless it may have made tokens that only it can count. */
  #leave(): void {
    const isRunning = this.#call?.stream.progress.sentAt !== undefined;
    if (!isRunning || this.#relay.received.isCounted || !this.#mayHideReasoning) {
      this.#stopper.abort(this.#sink.gone.reason);
    }
  }

  /** Whether the model may make tokens that its stream does not show. */
  get #mayHideReasoning(): boolean {
    if (!this.#call) return false;
    const { model, stream } = this.#call;
    const { received } = this.#relay;
    if (received.leavesReasoningOut) return true;
    const wordAt = received.firstWordAt ?? this.#parts.clock.monotonic();
    return this.#parts.hiddenReasoning.possible(model, effortOf(this.#held.input), {
      showsReasoning: received.countableReasoning !== '',
      silentMs: wordAt - (stream.progress.sentAt ?? wordAt),
    });
  }

  /** Waits until the client has taken enough of the waiting events. */
  async #waitFor(room: Promise<void>): Promise<void> {
    // Parts that the provider sent before the abort still arrive, but no client takes them.
    if (this.#hasLeft || this.#stopper.aborted) return;
    this.#hasWaited = true;
    const stopped = new Promise<void>((resolve) => whenAborted(this.#stopper, resolve));
    const { readerWaitMs = READER_WAIT_MS } = this.#parts;
    if (await endsWithin(Promise.race([room, stopped]), readerWaitMs)) return;
    // A client that continues to read gets this error, and so learns that the answer is incomplete.
    throw new ProviderError('timeout', 'The client took nothing for too long.', { accepted: true });
  }

  async #finish(answer: FinishedAnswer): Promise<void> {
    // It was read to its end for its usage.
    if (this.#hasLeft && !this.#stopper.aborted) return this.#endStopped(answer);
    const { text, reasoning } = this.#relay.received;
    const attempts = this.#attempts();
    const whole = { served: this.#served, answer: { ...answer, text, reasoning }, attempts };
    const priced = await priceAnswer(this.#parts, this.#held, whole, this.#running.value.stopper);
    const leftStream = this.#mayHideReasoning ? 'read_to_end' : 'stopped';
    const result = await this.#settle({ ...priced, leftStream });
    this.#relay.push([{ type: 'done', result }]);
  }

  /**
   * Settles a stream that did not reach its end.
   * @returns the last event; undefined if the client has left
   */
  async #end(error: unknown): Promise<StreamEvent | undefined> {
    if (this.#settled) return { type: 'error', error: afterCall(error) };
    if (this.#hasLeft) {
      await this.#endStopped();
      return undefined;
    }
    const isProviders = error instanceof ProviderError && !this.#running.value.stopper.aborted;
    // A provider that had to wait may have failed because of that. The client pays for what it took, and gets no more.
    if (isProviders && this.#hasWaited) {
      this.#sink.drop();
      const { charge } = (await this.#stop(LEFT)).priced;
      return { type: 'error', error: slowClientError(error, charge) };
    }
    if (isProviders && isDeadline(error) && !this.#relay.received.isEmpty) {
      logFailure(this.#parts, this.#held, error, this.#attempts().at(-1));
      const { charge } = (await this.#stop(TOO_LATE)).priced;
      return { type: 'error', error: deadlineError(error, charge) };
    }
    this.#settled = true;
    const failure = { error, served: this.#served, attempts: this.#attempts() };
    const stopped = this.#running.value.stopper.aborted;
    return { type: 'error', error: await failSend(this.#parts, this.#held, failure, stopped) };
  }

  /** Only followers of a detached send that was stopped read the end. */
  async #endStopped(end?: FinishedAnswer): Promise<void> {
    const isDetached = this.#held.input.isDetached === true;
    const { result } = await this.#stop(isDetached ? WAS_STOPPED : LEFT, end);
    if (isDetached) this.#relay.end(result);
  }

  /**
   * Stores what the client has taken, or still takes, and charges what was made for it.
   * @param end of the provider's stream, if it was read to there
   */
  async #stop(
    why: string,
    end?: FinishedAnswer,
  ): Promise<{ priced: PricedAnswer; result: SendResult }> {
    const { received, delivered } = this.#relay;
    const kept = why === TOO_LATE ? received : delivered;
    const due = end ? received : kept;
    const stopped: StoppedStream = {
      text: kept.text,
      toolCalls: kept.toolCalls,
      reasoning: kept.reasoning,
      output: {
        written: writtenIn(due.text, due.toolCalls),
        reasoning: received.countableReasoning,
      },
      reported: received.reported,
      end,
      why,
    };
    const isUncounted = !end && !received.isCounted && this.#mayHideReasoning;
    const priced = this.#isSent
      ? { ...(await priceStopped(this.#held, this.#served, stopped)), isUncounted }
      : priceUncalled(this.#held);
    return { priced, result: await this.#settle(priced) };
  }

  #settle(priced: PricedAnswer): Promise<SendResult> {
    this.#settled = true;
    return settleAnswer(this.#parts, this.#held, priced, this.#attempts());
  }
}
