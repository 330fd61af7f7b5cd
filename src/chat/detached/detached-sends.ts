import type { IdempotencyKey } from '../commit/commands.ts';
import { keyReused } from '../idempotency.ts';
import { replayed } from '../send/replayed.ts';
import type { SendInput } from '../send/send-input.ts';
import type { EventSink, SendFacts } from '../send/send-result.ts';
import type { HeldSend, SenderParts } from '../send/sender-parts.ts';
import { takeHold } from '../send/take-hold.ts';
import { DomainError, stoppingError } from '../../lib/errors.ts';
import { pause } from '../../lib/pause.ts';
import { Stopper } from '../../lib/stop-signal.ts';
import { DetachedSend } from './detached-send.ts';
import { followOtherNode, LOOK_MS, messageUnderKey } from './other-node.ts';
import { stopSend, takeStops, type StopRequest, type StoppedMessage } from './stops.ts';

/** A send that continues without its client. */
export interface Detached extends SendFacts {
  send: DetachedSend;
  /** True if this call began it. */
  isNew: boolean;
}

interface Beginning {
  bodySha256: string;
  /** Undefined if it was refused, or has ended. */
  begun: Promise<DetachedSend | undefined>;
}

/** The sends of this node that continue without their clients, from their holds to their settles. */
export class DetachedSends {
  readonly #parts: SenderParts;
  readonly #stream: (held: HeldSend, sink: EventSink) => void;
  readonly #byKey = new Map<string, Beginning>();
  readonly #byMessage = new Map<string, DetachedSend>();
  readonly #closed = new Stopper();

  /** @param stream streams a send whose hold was taken into the sink */
  constructor(parts: SenderParts, stream: (held: HeldSend, sink: EventSink) => void) {
    this.#parts = parts;
    this.#stream = stream;
  }

  /** Undefined if this node runs no such send. */
  ofMessage(userId: number, id: number): DetachedSend | undefined {
    return this.#byMessage.get(`${userId} ${id}`);
  }

  async #underKey(
    userId: number,
    key: Pick<IdempotencyKey, 'operation' | 'key'>,
  ): Promise<DetachedSend | undefined> {
    return this.#byKey.get(keyName(userId, key))?.begun;
  }

  /** Begins a send, or finds the one that was begun under the same key. @throws what `Sender.stream` throws */
  async begin(
    userId: number,
    input: SendInput,
    key: IdempotencyKey | undefined,
  ): Promise<Detached> {
    if (!key) return this.#take(userId, input, undefined);
    const name = keyName(userId, key);
    for (let first = this.#byKey.get(name); first; first = this.#byKey.get(name)) {
      const send = await first.begun;
      if (!send) continue;
      if (first.bodySha256 !== key.bodySha256) throw keyReused();
      return known(send, input);
    }
    const { promise: begun, resolve } = Promise.withResolvers<DetachedSend | undefined>();
    const entry = { bodySha256: key.bodySha256, begun };
    this.#byKey.set(name, entry);
    const forget = () => void this.#byKey.delete(name);
    let send: DetachedSend | undefined;
    try {
      const detached = await this.#take(userId, input, key);
      if (!detached.isNew) return detached;
      send = detached.send;
      void send.ended.then(forget);
      return detached;
    } finally {
      if (!send) forget();
      resolve(send);
    }
  }

  async #take(
    userId: number,
    input: SendInput,
    key: IdempotencyKey | undefined,
  ): Promise<Detached> {
    try {
      const taken = await takeHold(this.#parts, userId, { ...input, isDetached: true }, key);
      if ('held' in taken) return this.#run(taken.held);
      const { replay } = taken;
      const send = new DetachedSend(userId, replay.roomId, replay.id);
      for (const batch of await replayed(this.#parts.catalogue, replay)) send.push(batch);
      send.end();
      return known(send, input);
    } catch (error) {
      const isRunning = error instanceof DomainError && error.code === 'idempotency_in_progress';
      if (!key || !isRunning) throw error;
      const message = await messageUnderKey(this.#parts.db, userId, key);
      // The send has ended meanwhile: its answer is stored, or its key is free.
      if (!message) return this.#take(userId, input, key);
      return known(followOtherNode(this.#parts, message, key, this.#closed), input);
    }
  }

  #run(held: HeldSend): Detached {
    const { userId, messageId, input } = held;
    const send = new DetachedSend(userId, input.roomId, messageId);
    const name = `${userId} ${messageId}`;
    this.#byMessage.set(name, send);
    void send.ended.then(() => this.#byMessage.delete(name));
    this.#stream(held, send);
    return { send, isNew: true, replayed: false, quotas: held.admitted?.quotas ?? [] };
  }

  /**
   * Stops a running send of this user, on whichever node it runs. What was delivered is kept and charged, as for a
   * stream whose client left. A send that has ended stays as it is.
   * @throws `not_found`; `invalid_request` for a send that is not detached
   */
  async stop(userId: number, request: StopRequest): Promise<StoppedMessage> {
    const own =
      'key' in request
        ? await this.#underKey(userId, request)
        : this.ofMessage(userId, request.messageId);
    return stopSend(this.#parts, userId, request, own);
  }

  /** Stops the sends of this node that another node was asked to stop. Call it about every second. */
  async obeyStops(): Promise<void> {
    if (this.#byMessage.size === 0) return;
    for (const { userId, id } of await takeStops(this.#parts.db, [...this.#byMessage.values()])) {
      this.ofMessage(userId, id)?.stop();
    }
  }

  /** Waits until it is time to look again whether another node's send has ended. @throws when this node stops */
  async untilNextLook(): Promise<void> {
    await pause(LOOK_MS, this.#closed);
    if (this.#closed.aborted) throw stoppingError(true);
  }

  /** Stops all waiting for other nodes. */
  close(): void {
    this.#closed.abort(stoppingError(true));
  }
}

/** A send that an earlier request began. */
function known(send: DetachedSend, { trace }: SendInput): Detached {
  trace.messageId = send.id;
  return { send, isNew: false, replayed: true, quotas: [] };
}

function keyName(userId: number, { operation, key }: Pick<IdempotencyKey, 'operation' | 'key'>) {
  return `${userId} ${operation} ${key}`;
}
