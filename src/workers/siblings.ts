import type { Channel } from '../config/index.ts';
import { DomainError, errorCodes, internalError, messageOf } from '../lib/errors.ts';
import type { FromParent, FromWorker, Reply, Whom } from './messages.ts';

const RETRY_AFTER_S = 1;

/** The workers that serve on one port, as seen by one of them; it is itself among them. */
export class Siblings {
  /** The number of this worker, from 0. */
  readonly number: number;
  /** Resolves when the parent asks for a stop. */
  readonly stopRequested: Promise<void>;
  /** Resolves when the parent is about to replace this process. */
  readonly leaveRequested: Promise<void>;
  readonly #channel: Channel;
  readonly #answers = new Map<string, (about: never) => unknown>();
  readonly #waiting = new Map<number, (replies: Reply[]) => void>();
  #lastId = 0;

  constructor(number: number, channel: Channel) {
    this.number = number;
    this.#channel = channel;
    const stop = Promise.withResolvers<void>();
    this.stopRequested = stop.promise;
    const leave = Promise.withResolvers<void>();
    this.leaveRequested = leave.promise;
    channel.onMessage((message) => {
      const from = message as FromParent;
      if (from.kind === 'stop') return stop.resolve();
      if (from.kind === 'leave') return leave.resolve();
      if (from.kind === 'ask') return void this.#answer(from);
      this.#waiting.get(from.id)?.(from.replies);
      this.#waiting.delete(from.id);
    });
  }

  /** The worker that has what a server needs once. */
  get isFirst(): boolean {
    return this.number === 0;
  }

  send(message: FromWorker): void {
    this.#channel.send(message);
  }

  /** @param answer may throw; a `DomainError` reaches the worker that asked */
  onAsk(what: string, answer: (about: never) => unknown): void {
    this.#answers.set(what, answer);
  }

  /** Asks every worker. Those that do not answer in time are left out. */
  async askAll<T>(what: string): Promise<T[]> {
    const replies = await this.#ask('all', what, undefined);
    return replies.flatMap((reply) => ('value' in reply ? [reply.value as T] : []));
  }

  /** Asks the first worker. @throws the DomainError of its answer; `overloaded` while that worker is not running */
  async askFirst<T>(what: string, about?: unknown): Promise<T> {
    const [reply] = await this.#ask('first', what, about);
    if (reply === undefined) {
      throw new DomainError('overloaded', 'a part of the server is starting; try again', {
        retryAfterSeconds: RETRY_AFTER_S,
      });
    }
    if ('value' in reply) return reply.value as T;
    const { code, message, retryAfterSeconds } = reply.error;
    throw new DomainError(errorCodes.find((known) => known === code) ?? 'internal_error', message, {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }

  #ask(whom: Whom, what: string, about: unknown): Promise<Reply[]> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.send({ kind: 'ask', id, whom, what, about });
    });
  }

  async #answer({ id, what, about }: { id: number; what: string; about: unknown }): Promise<void> {
    const reply = await replyOf(() => this.#answers.get(what)?.(about as never));
    this.send({ kind: 'reply', id, reply });
  }
}

async function replyOf(work: () => unknown): Promise<Reply> {
  try {
    return { value: await work() };
  } catch (error) {
    const { code, retryAfterSeconds } = error instanceof DomainError ? error : internalError();
    return { error: { code, message: messageOf(error), retryAfterSeconds } };
  }
}
